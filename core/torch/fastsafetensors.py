"""What stands in for `fastsafe_open` of fastsafetensors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from safetensors import SafetensorError

from modelmon.core.torch.loading import load_tensors, opened
from modelmon.core.torch.safetensors import FRAMEWORKS

if TYPE_CHECKING:
    from modelmon.core.torch.lazy import torch


class fastsafe_open:  # noqa: N801  as fastsafetensors calls it
    """Files whose tensors have all been read into private memory; a context manager.

    Takes what fastsafetensors takes. Tensors stay usable when the files are closed. A process group
    of more than one process is refused; how fastsafetensors would copy makes no difference here.
    """

    def __init__(  # noqa: PLR0913, PLR0917  as fastsafetensors has them
        self,
        filenames: str | list[str] | dict[int, list[str]],
        framework: str = "pt",
        pg: Any = None,
        device: str = "cpu",
        nogds: bool = False,
        debug_log: bool = False,
        max_copy_block_size: int = 0,
        use_fgds: bool = False,
    ) -> None:
        del nogds, debug_log, max_copy_block_size, use_fgds
        if framework not in FRAMEWORKS:
            raise SafetensorError(f"framework {framework} is invalid: pt is possible")
        if pg is not None and pg.size() > 1:
            raise ValueError("tensors can't be shared out: let each process open its files")
        if isinstance(filenames, dict):
            paths = [path for of_rank in filenames.values() for path in of_rank]
        else:
            paths = [filenames] if isinstance(filenames, str) else filenames
        models = {path: opened(path) for path in paths}
        self._metadata = {path: dict(model.metadata) for path, model in models.items()}
        places: dict[str, str] = {}
        for path, model in models.items():
            for info in model.tensors:
                if (other := places.setdefault(info.name, path)) != path:
                    raise SafetensorError(f"tensor {info.name} is in {other} and in {path}")
        self._names = list(places)
        self._tensors: dict[str, torch.Tensor] = {}
        for model in models.values():
            self._tensors |= load_tensors(model, device, "pread")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._tensors = {}

    def keys(self) -> list[str]:
        """Names of all tensors, file by file."""
        return list(self._names)

    get_keys = keys

    def metadata(self) -> dict[str, dict[str, str]]:
        """By file, the text that its header holds beside the tensors."""
        return self._metadata

    def get_tensor(self, name: str) -> torch.Tensor:
        """A tensor, which shares the memory of its file's others."""
        if name not in self._tensors:
            raise ValueError(f"no tensor {name} in the open files")
        return self._tensors[name]
