"""A destination for slices: spans take a detour, from which what is wanted is gathered."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from modelmon.core.load.buffers import OwnedDestination, PassingDestination
    from modelmon.core.load.extents import Extent
    from modelmon.core.load.slices import Slices


class GatheringDestination:
    """Requests that hold unwanted bytes come to a buffer that is used again; once they are
    there, the wanted ones are moved to their place, or together where nothing is kept.

    Requests of wanted bytes alone go to their place at once.
    """

    def __init__(
        self, slices: Slices, kept: OwnedDestination | None, detour: PassingDestination
    ) -> None:
        self._slices = slices
        self._kept = kept
        self._detour = detour

    def _straight(self, request: Extent) -> OwnedDestination | None:
        whole = self._kept is not None and self._slices.nbytes(request) == request.nbytes
        return self._kept if whole else None

    def address(self, request: Extent) -> int:
        """Address that the request's first byte comes to."""
        return (self._straight(request) or self._detour).address(request)

    def view(self, request: Extent) -> memoryview:
        """Where the request's bytes come to."""
        return (self._straight(request) or self._detour).view(request)

    def room(self, request: Extent, start_bytes: int, end_bytes: int) -> memoryview | None:
        """Memory for a wider range around the request, where there is some."""
        return (self._straight(request) or self._detour).room(request, start_bytes, end_bytes)

    def arrived(self, request: Extent) -> None:
        """Gather what is wanted of the request."""
        if self._straight(request) is None:
            self._slices.gather(request, self._detour.view(request), self.delivered(request))

    def delivered(self, request: Extent) -> memoryview:
        """The request's wanted bytes."""
        if self._kept is not None:
            return self._kept.view(request)
        return self._detour.view(request)[: self._slices.nbytes(request)]
