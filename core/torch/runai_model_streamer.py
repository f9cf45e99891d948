"""What stands in for `SafetensorsStreamer` of runai-model-streamer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from modelmon.core.torch.loading import opened
from modelmon.core.torch.safetensors import load_file

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from modelmon.core.torch.lazy import torch


class SafetensorsStreamer:
    """Tensors of files, one after another; a context manager.

    Each file is read when the first of its tensors is asked for. Tensors are not overwritten by
    later ones: those of a file share memory, which is given back with the last of them.
    """

    def __init__(self) -> None:
        self._paths: list[str] = []
        self._device = "cpu"
        self._names: Collection[str] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._paths = []

    def stream_file(self, path: str, *others: Any, **named: Any) -> None:
        """Have `get_tensors` give those of this file; the rest is that of `stream_files`."""
        self.stream_files([path], *others, **named)

    def stream_files(  # noqa: PLR0913, PLR0917  as runai-model-streamer has them
        self,
        paths: list[str],
        s3_credentials: object = None,
        device: str | None = "cpu",
        is_distributed: bool = False,
        tensor_names: Collection[str] | None = None,
        owned: bool = True,
    ) -> None:
        """Have `get_tensors` give those of these files, which are on this machine, or of them those
        of these names.
        """
        del s3_credentials, owned
        if is_distributed:
            raise ValueError("tensors can't be shared out: let each process stream its files")
        if tensor_names is not None:
            known = {info.name for path in paths for info in opened(path).tensors}
            if unknown := [name for name in tensor_names if name not in known]:
                raise ValueError(f"tensor_names not in the files: {unknown}")
            if not tensor_names:
                raise ValueError("tensor_names is empty: leave it out for all tensors")
        self._paths, self._device = list(paths), device or "cpu"
        self._names = tensor_names

    def get_tensors(self) -> Iterator[tuple[str, torch.Tensor]]:
        """Name and tensor, each once."""
        while self._paths:
            tensors = load_file(self._paths.pop(0), self._device, backend="pread")
            for name in list(tensors):
                tensor = tensors.pop(name)
                if self._names is None or name in self._names:
                    yield name, tensor
