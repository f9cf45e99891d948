"""What becomes of the parts of a decoding load: values, or what other parts need for theirs."""

from __future__ import annotations

import threading
import time
from functools import partial
from typing import TYPE_CHECKING

from modelmon.core.load.decode import decode_into, dropped, prepare_decoders
from modelmon.core.load.unpack import prepare_unpacking, unpack_into, unpacker

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from modelmon.core.load.decode import Fill
    from modelmon.core.load.decode_units import TensorValues
    from modelmon.core.load.unpack import Unpack
    from modelmon.core.model.packed import Packed

    Room = Callable[[TensorValues, Fill], None]
    """Has the values of a part written to where they go."""

_LOOK_S = 0.05


class _Weight:
    """A weight of several tensors: what decodes it, while parts of it are left to decode."""

    def __init__(self, packed: Packed) -> None:
        self.packed = packed
        self.left = 0
        self.unpack: Unpack | None = None
        self.turn = threading.Lock()


class PartDecoder:
    """Decodes all parts of one process's load; any thread may call it.

    Parts of a packed weight wait until the helpers of all are there: no reader may have one of
    these behind such a part. A weight's helpers are dropped once it is decoded.
    """

    def __init__(
        self, parts: Iterable[TensorValues], packed: Sequence[Packed], room: Room | None = None
    ) -> None:
        """Compile whatever `parts` take. Without `room`, values are made and dropped.

        Raises ConfigError for a type that cannot be decoded.
        """
        self._room = room or dropped
        self._weights = {each.tensor: _Weight(each) for each in packed}
        self._helpers = {index for each in packed for index in each.helpers.values()}
        self._kept: dict[int, bytearray] = {}
        self._types: dict[int, str] = {}
        self._missing = 0
        for part in parts:
            self._types[part.tensor] = part.dtype
            if part.tensor in self._helpers:
                self._kept.setdefault(part.tensor, bytearray()).extend(bytes(part.nbytes))
                self._missing += 1
            elif part.tensor in self._weights:
                self._weights[part.tensor].left += part.elements
        self._turn = threading.Lock()
        self._complete = threading.Event()
        if not self._missing:
            self._complete.set()
        prepare_decoders(set(self._types.values()))
        if packed:
            prepare_unpacking()

    def decode(self, data: memoryview, part: TensorValues, stop: threading.Event) -> int:
        """Take in a part; gives up where `stop` is set while it waits. Returns how long it waited
        for what others read, in nanoseconds.
        """
        if part.tensor in self._helpers:
            self._keep(data, part)
        elif (weight := self._weights.get(part.tensor)) is not None:
            began_ns = time.monotonic_ns()
            while not self._complete.wait(_LOOK_S):
                if stop.is_set():
                    break
            waited_ns = time.monotonic_ns() - began_ns
            if self._complete.is_set():
                self._unpack(weight, data, part)
            return waited_ns
        else:
            self._room(part, partial(decode_into, data, part.dtype))
        return 0

    def _keep(self, data: memoryview, part: TensorValues) -> None:
        start = part.first_element * (part.nbytes // part.elements)
        self._kept[part.tensor][start : start + part.nbytes] = data
        with self._turn:
            self._missing -= 1
            if not self._missing:
                self._complete.set()

    def _unpack(self, weight: _Weight, data: memoryview, part: TensorValues) -> None:
        packed = weight.packed
        # Tables of large weights take milliseconds: only those who need them wait.
        with weight.turn:
            unpack = weight.unpack
            if unpack is None:
                helpers = {
                    role: (self._types[index], memoryview(self._kept[index]))
                    for role, index in packed.helpers.items()
                }
                unpack = weight.unpack = unpacker(packed, helpers)
                for index in packed.helpers.values():
                    del self._kept[index]
        self._room(part, partial(unpack_into, unpack, packed, data, part))
        with weight.turn:
            weight.left -= part.elements
            if not weight.left:
                weight.unpack = None
