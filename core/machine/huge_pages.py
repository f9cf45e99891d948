"""Huge pages: how the kernel is set to give them."""

from __future__ import annotations

from pathlib import Path

import msgspec

from modelmon.core.machine.sysfs import chosen, number


class HugePages(msgspec.Struct, frozen=True, omit_defaults=True):
    """The settings; None where this kernel has none.

    `private` is for private memory and `shared` for shared memory and tmpfs (`always`,
    `madvise` or `advise`: where a program asks for it, `never`); `defrag` says when the kernel
    makes room for one at once; `size_bytes` is that of the largest.
    """

    private: str | None = None
    shared: str | None = None
    defrag: str | None = None
    size_bytes: int | None = None


def read_huge_pages(root: Path = Path("/")) -> HugePages:
    """The settings now; `root` is where /sys is found."""
    folder = root / "sys/kernel/mm/transparent_hugepage"
    return HugePages(
        private=chosen(folder / "enabled"),
        shared=chosen(folder / "shmem_enabled"),
        defrag=chosen(folder / "defrag"),
        size_bytes=number(folder / "hpage_pmd_size"),
    )
