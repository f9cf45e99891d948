"""What libraries hand tensors out as: torch tensors or numpy arrays, and where their bytes lie."""

from __future__ import annotations

import importlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from modelmon.core.load.libraries.baseline import Delivered
from modelmon.core.load.libraries.installed import is_installed, version_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from modelmon.core.load.libraries.baseline import LibraryRequest

_INTEGERS = {f"{sign}{bits}" for sign in "UI" for bits in (8, 16, 32, 64)}
_OF_ML_DTYPES = {"BF16", "F8_E4M3", "F8_E5M2", "F8_E8M0", "F8_E4M3FNUZ", "F8_E5M2FNUZ"}
_DTYPES = frozenset({"BOOL", *_INTEGERS, "F16", "F32", "F64", "C64", *_OF_ML_DTYPES})


@dataclass(frozen=True, slots=True)
class Framework:
    """A tensor library: safetensors' short name for it, its module, the types it has, and what it
    takes besides, as `Baseline.requires`.
    """

    key: str
    module: str
    dtypes: frozenset[str]
    beside: Mapping[str, str] = field(default_factory=dict)

    def prepare(self) -> None:
        """Import it. numpy gets the types of ml_dtypes, by the names that safetensors asks it for:
        of these it finds only bfloat16 once ml_dtypes is imported.
        """
        module = importlib.import_module(self.module)
        for beside in map(importlib.import_module, self.beside):
            from modelmon.core.load.arrays import OF_ML_DTYPES  # noqa: PLC0415  it imports numpy

            for name in OF_ML_DTYPES.values():
                vars(module).setdefault(name, getattr(beside, name))

    def delivered(
        self, name: str, array: Any, *, copy: bool = False, asked_ns: int | None = None
    ) -> Delivered:
        """`array`, or a private copy of it as users make one; of one on a GPU no address, for
        nothing here can read there.
        """
        if self.key == "pt":
            kept = array.clone() if copy else array
            address = 0 if kept.is_cuda else kept.data_ptr()
            return Delivered(name, address, kept.nbytes, kept, asked_ns)
        kept = array.copy() if copy else array
        return Delivered(name, kept.ctypes.data, kept.nbytes, kept, asked_ns)

    def in_order(
        self, request: LibraryRequest, arriving: Iterator[tuple[str, Any]]
    ) -> Iterator[Delivered]:
        """Tensors that come by their names as they are ready; what is early waits for its turn."""
        early: dict[str, Any] = {}
        for tensor in request.tensors:
            while tensor.name not in early:
                arrived = next(arriving, None)
                if arrived is None:
                    return
                early.update([arrived])
            yield self.delivered(tensor.name, early.pop(tensor.name))

    def version_beside(self, distribution: str) -> str:
        """The version of a library that hands out this framework's tensors."""
        version = version_of(distribution)
        return version and f"{version} with {self.module} {version_of(self.module)}"


NUMPY = Framework("np", "numpy", _DTYPES, {"ml_dtypes": "ml_dtypes"})
TORCH = Framework("pt", "torch", _DTYPES | {"F4"})


def best_installed() -> Framework:
    """torch, which model code uses, or numpy where torch is not installed."""
    return TORCH if is_installed(TORCH.module) else NUMPY
