"""Reading the fields of a GGUF header one after the other, through bounded windows."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

from modelmon.core.messages import Message
from modelmon.core.units import KIB, MIB

if TYPE_CHECKING:
    from modelmon.core.model.header import HeaderFile

_FIRST_WINDOW_BYTES = 256 * KIB
_MOST_WINDOW_BYTES = 4 * MIB
_U32 = struct.Struct("<I")
_U64 = struct.Struct("<Q")


class GgufCursor:
    """A position in a GGUF file that only moves forward.

    Every read is checked against the file's real size first; `what` names the field in the
    error (ModelFileError).
    """

    def __init__(self, file: HeaderFile) -> None:
        self.file = file
        self._window = file.first_bytes
        self._window_start = 0
        self._next_window_bytes = _FIRST_WINDOW_BYTES
        self._at = 0

    @property
    def offset_bytes(self) -> int:
        """Position in the file."""
        return self._window_start + self._at

    @property
    def left_bytes(self) -> int:
        """Bytes from here to the end of the file."""
        return self.file.size_bytes - self.offset_bytes

    def unpack(self, layout: struct.Struct, what: str) -> tuple[Any, ...]:
        """The values of a fixed layout."""
        at = self._advance(layout.size, what)
        return layout.unpack_from(self._window, at)

    def u32(self, what: str) -> int:
        """An unsigned 32-bit number."""
        at = self._advance(4, what)
        return int(_U32.unpack_from(self._window, at)[0])

    def u64(self, what: str) -> int:
        """An unsigned 64-bit number."""
        at = self._advance(8, what)
        return int(_U64.unpack_from(self._window, at)[0])

    def text(self, what: str, most: int) -> bytes:
        """A text of at most `most` bytes."""
        length = self._length(what, most)
        at = self._advance(length, what)
        return self._window[at : at + length]

    def shortened_text(self, what: str, most: int) -> tuple[bytes, int]:
        """The first `most` bytes of a text of any length, and its length."""
        length = self._length(what, self.file.size_bytes)
        kept = min(length, most)
        at = self._advance(kept, what)
        value = self._window[at : at + kept]
        self.skip(length - kept, what)
        return value, length

    def skip(self, nbytes: int, what: str) -> None:
        """Move on without reading."""
        if nbytes > self.left_bytes:
            raise self.file.cut_off(
                Message(
                    "{what} takes {nbytes} bytes at byte {offset}; the file has {left} left.",
                    what=what,
                    nbytes=nbytes,
                    offset=self.offset_bytes,
                    left=self.left_bytes,
                )
            )
        self._at += nbytes

    def skip_texts(self, count: int, what: str) -> None:
        """Move past `count` texts by their lengths alone."""
        length_at = _U64.unpack_from
        while count:
            self._at = self._advance(8, what)
            window, at = self._window, self._at
            passed = 0
            # A vocabulary has hundreds of thousands: nothing else is asked of each.
            try:
                for passed in range(count):  # noqa: B007  how many there were is what counts
                    at += 8 + length_at(window, at)[0]
                passed = count
            except (struct.error, OverflowError):
                pass  # the next one's length lies beyond the window
            count -= passed
            self.skip(at - self._at, what)

    def _length(self, what: str, most: int) -> int:
        length = self.u64(what)
        possible = min(most, self.left_bytes)
        if length > possible:
            fault = self.file.cut_off if length > self.left_bytes else self.file.error
            raise fault(
                Message(
                    "the length of {what} is {length} at byte {offset}; at most {possible}"
                    " is possible.",
                    what=what,
                    length=length,
                    offset=self.offset_bytes - 8,
                    possible=possible,
                )
            )
        return length

    def _advance(self, nbytes: int, what: str) -> int:
        """Step over `nbytes` that lie in the window now; returns where in it they start."""
        at = self._at
        if at + nbytes > len(self._window):
            if nbytes > self.left_bytes:
                raise self.file.cut_off(
                    Message(
                        "the file is cut off within its header: {what} takes {nbytes} bytes at"
                        " byte {offset}, {left} are left.",
                        what=what,
                        nbytes=nbytes,
                        offset=self.offset_bytes,
                        left=max(self.left_bytes, 0),
                    )
                )
            wanted = min(max(nbytes, self._next_window_bytes), self.left_bytes)
            self._window = self.file.read(self.offset_bytes, wanted)
            self._window_start, at = self.offset_bytes, 0
            self._next_window_bytes = min(self._next_window_bytes * 2, _MOST_WINDOW_BYTES)
        self._at = at + nbytes
        return at
