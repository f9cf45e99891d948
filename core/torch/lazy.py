"""torch, imported when one of its names is first asked for: its import takes a second."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from modelmon.core.load.threads import imported

if TYPE_CHECKING:
    import torch as torch  # noqa: PLC0414  the rooms beside this one have it from here

else:

    class _Torch:
        def __getattr__(self, name: str) -> Any:
            try:
                torch = imported("torch")
            except AttributeError as error:
                # As it is, it would be taken for a name that torch lacks.
                raise ImportError(f"torch can't be imported: {error}") from error
            found = getattr(torch, name)
            # It is asked for with each of 20,000 tensors.
            setattr(self, name, found)
            return found

    torch = _Torch()
