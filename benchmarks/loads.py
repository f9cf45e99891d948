"""What a fresh process does for each arm: everything from the path to all tensors usable."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from examples import EXAMPLES
from limits import bare_load
from states import resident_ranges

from modelmon.core.load.api import load_model, stream_model
from modelmon.core.load.files import touch
from modelmon.core.load.libraries.baseline import Delivered, LibraryRequest, WantedTensor
from modelmon.core.load.libraries.registry import baseline
from modelmon.core.load.planner import plan_load
from modelmon.core.model.open import open_model

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from records import Task

    from modelmon.core.load.config import LoadConfig
    from modelmon.core.model.tensors import Tensor

_PAGE_BYTES = 4096


class Prepared:
    """A task whose libraries are imported; `load` is timed, and `count` is not.

    `load` returns whatever keeps the model in memory, and `count` how many bytes that is.
    """

    def __init__(self, load: Callable[[], Any], count: Callable[[Any], int]) -> None:
        self.load = load
        self.count = count


def prepare(task: Task) -> Prepared:
    """Import what the task needs. Whatever this leaves in the page cache is set right later."""
    makers: dict[str, Callable[[Task], Prepared]] = {
        "modelmon": _ours,
        "earlier": _ours,
        "library": _library,
        "example": _example,
        "read-limit": _bare,
        "map-limit": _bare,
        "plan": _plan,
    }
    return makers[task.arm.maker](task)


def _ours(task: Task) -> Prepared:
    config = task.arm.config
    if config.deliver == "streamed":
        return Prepared(lambda: _streamed(task.path, config), sum)
    # What arrays and the order of blocks take is imported when first needed, which is no part of a
    # load.
    for name in ("modelmon.core.load.loaded", "ml_dtypes", "modelmon.core.model.blocks"):
        import_module(name)
    every_array = task.arm.every_array

    def load() -> Mapping[str, Any]:
        # It returns when every byte is in memory; an array is made when it is asked for.
        loaded = load_model(task.path, config)
        return dict(loaded) if every_array else loaded

    return Prepared(load, lambda arrays: sum(array.nbytes for array in arrays.values()))


def _streamed(path: str, config: LoadConfig) -> list[int]:
    passed: list[int] = []

    def consume(_tensor: Tensor, _position: int, data: memoryview) -> None:
        passed.append(len(data))

    stream_model(path, consume, config)
    return passed


def _library(task: Task) -> Prepared:
    arm = task.arm
    model = open_model(task.path)
    library = baseline(arm.library)
    request = LibraryRequest(
        paths=tuple(shard.path for shard in model.shards),
        tensors=tuple(WantedTensor(t.name, t.shard, t.nbytes) for t in model.tensors),
        owned=arm.delivery == "owned",
    )
    library.prepare()

    def load() -> list[Delivered]:
        delivered = list(library.load(request))
        if arm.delivery == "usable":
            _touch_all(delivered)
        return delivered

    return Prepared(load, lambda delivered: sum(tensor.nbytes for tensor in delivered))


def _example(task: Task) -> Prepared:
    paths = [shard.path for shard in open_model(task.path).shards]
    example, mapped = EXAMPLES[task.arm.library](), task.arm.delivery == "usable"

    def load() -> list[Any]:
        tensors = list(example(paths).values())
        if mapped:
            _touch_all([Delivered("", each.data_ptr(), each.nbytes, each) for each in tensors])
        return tensors

    return Prepared(load, lambda tensors: sum(tensor.nbytes for tensor in tensors))


def _touch_all(tensors: Sequence[Delivered]) -> None:
    """Touch every page, neighbours in one call: many calls would be charged to the library."""
    start = end = 0
    for tensor in sorted(tensors, key=lambda tensor: tensor.address):
        if not start or tensor.address - end >= _PAGE_BYTES:
            if start:
                touch(start, end - start)
            start, end = tensor.address, tensor.address
        end = max(end, tensor.address + tensor.nbytes)
    if start:
        touch(start, end - start)


def _bare(task: Task) -> Prepared:
    paths = [shard.path for shard in open_model(task.path).shards]
    sizes = [Path(path).stat().st_size for path in paths]
    cached = resident_ranges(task.state, sizes)
    maps = task.arm.maker == "map-limit"
    return Prepared(bare_load(paths, cached, task.arm.threads, maps=maps), lambda _: sum(sizes))


def _plan(task: Task) -> Prepared:
    def load() -> Any:
        model = open_model(task.path)
        return model, plan_load(model, task.arm.config)

    return Prepared(load, lambda pair: pair[0].nbytes)
