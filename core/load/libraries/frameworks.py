"""What libraries hand tensors out as: torch tensors or numpy arrays, and where their bytes lie."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from modelmon.core.load.libraries.baseline import Delivered
from modelmon.core.load.libraries.installed import is_installed, version_of

_INTEGERS = {f"{sign}{bits}" for sign in "UI" for bits in (8, 16, 32, 64)}
_NUMPY_DTYPES = frozenset({"BOOL", *_INTEGERS, "F16", "F32", "F64", "C64"})
_TORCH_ONLY_DTYPES = frozenset(
    {"BF16", "F8_E4M3", "F8_E5M2", "F8_E8M0", "F8_E4M3FNUZ", "F8_E5M2FNUZ", "F4"}
)


@dataclass(frozen=True, slots=True)
class Framework:
    """A tensor library: safetensors' short name for it, its module, and the types it has."""

    key: str
    module: str
    dtypes: frozenset[str]

    def delivered(
        self, name: str, array: Any, *, copy: bool = False, asked_ns: int | None = None
    ) -> Delivered:
        """`array`, or a private copy of it as users make one."""
        if self.key == "pt":
            kept = array.clone() if copy else array
            return Delivered(name, kept.data_ptr(), kept.nbytes, kept, asked_ns)
        kept = array.copy() if copy else array
        return Delivered(name, kept.ctypes.data, kept.nbytes, kept, asked_ns)

    def version_beside(self, distribution: str) -> str:
        """The version of a library that hands out this framework's tensors."""
        version = version_of(distribution)
        return version and f"{version} with {self.module} {version_of(self.module)}"


NUMPY = Framework("np", "numpy", _NUMPY_DTYPES)
TORCH = Framework("pt", "torch", _NUMPY_DTYPES | _TORCH_ONLY_DTYPES)


def best_installed() -> Framework:
    """torch, which model code uses, or numpy where torch is not installed."""
    return TORCH if is_installed(TORCH.module) else NUMPY
