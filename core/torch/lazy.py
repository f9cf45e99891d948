"""torch, imported when one of its names is first asked for: its import takes a second.

Ask for them as `lazy.torch.empty`: once it is there, `lazy.torch` is the module itself. Programs
put functions of their own in the place of torch's for a while, so none may be kept.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from modelmon.core.load.threads import imported

if TYPE_CHECKING:
    import torch as torch  # noqa: PLC0414  the modules beside this one have it from here

else:

    class _Torch:
        def __getattr__(self, name: str) -> Any:
            global torch  # noqa: PLW0603  this was all that it's for
            try:
                torch = imported("torch")
            except AttributeError as error:
                # As it is, it would be taken for a name that torch lacks.
                raise ImportError(f"torch can't be imported: {error}") from error
            return getattr(torch, name)

    torch = _Torch()
