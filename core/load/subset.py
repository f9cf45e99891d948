"""Which tensors of a model are wanted, by names and patterns, and which part a rank has of each."""

from __future__ import annotations

import operator
import re
from collections.abc import Iterable
from dataclasses import dataclass
from math import gcd, prod
from typing import TYPE_CHECKING

from modelmon.core.errors import ConfigError
from modelmon.core.load.config import MAX_RANKS, refusal
from modelmon.core.load.extents import Strided, TensorPiece
from modelmon.core.messages import Message

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from modelmon.core.model.tensor_parallel import Cut
    from modelmon.core.model.tensors import Model, Tensor

    Patterns = str | Iterable[str]


@dataclass(frozen=True, slots=True)
class Subset:
    """Some tensors, some blocks, one rank's slices; without any of them the whole model.

    tensors, blocks: patterns of names (`chosen_tensors` says which); what any of them names is
    wanted, and without patterns everything is.
    rank, ranks: of the wanted tensors, what rank number `rank` (from 0) of a tensor-parallel
    group of `ranks` holds.
    """

    tensors: tuple[str, ...] = ()
    blocks: tuple[str, ...] = ()
    rank: int = 0
    ranks: int = 1

    def __post_init__(self) -> None:
        for name in ("tensors", "blocks"):
            patterns = getattr(self, name)
            if not (isinstance(patterns, tuple) and all(isinstance(p, str) for p in patterns)):
                remedy = Message("Give names of tensors or blocks, or patterns of them.")
                raise refusal(name, repr(patterns), remedy)
            if "" in patterns:
                raise ConfigError(
                    Message("{name} has an empty pattern.", name=name),
                    Message("Write * for all names."),
                )
        if type(self.ranks) is not int or not 1 <= self.ranks <= MAX_RANKS:
            remedy = Message("Choose from 1 to {max_ranks}.", max_ranks=MAX_RANKS)
            raise refusal("ranks", repr(self.ranks), remedy)
        if type(self.rank) is not int or not 0 <= self.rank < self.ranks:
            last = self.ranks - 1
            remedy = Message(
                "Ranks count from 0: of {ranks}, choose 0 to {ranks2}.",
                ranks=self.ranks,
                ranks2=last,
            )
            raise refusal("rank", repr(self.rank), remedy)

    @property
    def is_whole(self) -> bool:
        """Whether this is every byte of every tensor."""
        return not self.tensors and not self.blocks and self.ranks == 1

    @property
    def text(self) -> str:
        """What is wanted, in words; "" for the whole model."""
        words = []
        if self.tensors:
            words.append(Message("tensors {tensors}", tensors=", ".join(self.tensors)))
        if self.blocks:
            words.append(Message("blocks {blocks}", blocks=", ".join(self.blocks)))
        if self.ranks > 1:
            words.append(Message("rank {rank}/{ranks}", rank=self.rank, ranks=self.ranks))
        return "; ".join(words)


_RANGE = re.compile(r"(.*[._])([0-9]{1,9})-([0-9]{1,9})", re.DOTALL)
_NUMBERED = re.compile(r"(.*[._])([0-9]{1,9})", re.DOTALL)
_SHOWN = 3
# Comparing costs about 0.1 ms a name; a mistake is answered within a second.
_MOST_COMPARED = 10_000

WHOLE = Subset()
WHOLE_RANK = (0, 1)


def chosen_subset(
    tensors: Patterns = (), blocks: Patterns = (), rank: tuple[int, int] = WHOLE_RANK
) -> Subset:
    """A Subset as calls from Python give it: of a name, a pattern or several, and of rank (1, 4),
    the second of four. Raises ConfigError.
    """
    if not (isinstance(rank, (tuple, list)) and len(rank) == 2):
        raise refusal(
            "rank", repr(rank), Message("Give its number and how many there are: (0, 2).")
        )
    # Numbers of numpy and torch, too.
    number, ranks = (operator.index(each) if hasattr(each, "__index__") else each for each in rank)
    return Subset(_patterns(tensors), _patterns(blocks), number, ranks)


def _patterns(given: Patterns | None) -> tuple[str, ...]:
    # Bytes and what is no collection go on as one pattern, which is refused.
    if isinstance(given, (str, bytes)) or not (given is None or isinstance(given, Iterable)):
        return (given,)
    if given is None or given == ():
        return ()
    patterns = tuple(given)
    if not patterns:
        raise ConfigError(
            Message("There are no names to choose tensors by."),
            Message("Leave them out for the whole model."),
        )
    return patterns


def pieces_of(model: Model, subset: Subset) -> list[TensorPiece]:
    """The wanted tensors by ascending index, each whole or as the rank's slice.

    The slices of all ranks cover a tensor exactly once. Their sizes differ by at most one
    unit, the first ranks having the larger: one row or column, or as many as are needed to
    stay on whole bytes and quantisation blocks. Each rank holds all of a tensor that has
    fewer units than there are ranks. Raises ConfigError for a pattern that names nothing.
    """
    tensors = model.tensors
    if subset.tensors or subset.blocks:
        indices = chosen_tensors(model, subset.tensors, subset.blocks)
    else:
        indices = list(range(len(tensors)))
    if subset.ranks == 1:
        return [_whole(index, tensors[index]) for index in indices]
    from modelmon.core.model.tensor_parallel import cut_of  # noqa: PLC0415

    shapes = {tensor.name: tensor.shape for tensor in tensors}
    is_gguf = model.format == "gguf"
    pieces: list[TensorPiece] = []
    for index in indices:
        tensor = tensors[index]
        cut = cut_of(tensor.name, tensor.shape, shapes) if tensor.nbytes else None
        piece = _slice(index, tensor, cut, subset, is_gguf=is_gguf) if cut else None
        pieces.append(piece or _whole(index, tensor))
    return pieces


def _whole(index: int, tensor: Tensor) -> TensorPiece:
    size = tensor.nbytes
    where = Strided(tensor.shard, tensor.offset_bytes, size, size, 1)
    return TensorPiece(index, tensor.shape, where)


def _slice(
    index: int, tensor: Tensor, cut: Cut, subset: Subset, *, is_gguf: bool
) -> TensorPiece | None:
    """The rank's slice; None where the tensor cannot be divided among the ranks."""
    shape, dimension = tensor.shape, cut.dimension
    inner = prod(shape[dimension + 1 :])
    packed = _packed_values(tensor, is_gguf=is_gguf)
    unit = packed // gcd(packed, inner)
    units, rest = divmod(shape[dimension], unit * cut.parts)
    if rest or units < subset.ranks:
        return None
    if any(length % (subset.ranks * cut.parts) for length in cut.beside):
        return None
    each, larger = divmod(units, subset.ranks)
    first = subset.rank * each + min(subset.rank, larger)
    count = each + (subset.rank < larger)
    runs = prod(shape[:dimension]) * cut.parts
    unit_bytes = tensor.nbytes // (runs * units)
    size = count * unit * cut.parts
    where = Strided(
        tensor.shard,
        tensor.offset_bytes + first * unit_bytes,
        count * unit_bytes,
        units * unit_bytes,
        runs,
    )
    return TensorPiece(index, (*shape[:dimension], size, *shape[dimension + 1 :]), where)


def _packed_values(tensor: Tensor, *, is_gguf: bool) -> int:
    """How many values are stored together and cannot be parted: 1 where each has its bytes."""
    if is_gguf:
        from modelmon.core.model.ggml_types import GGML_TYPES_BY_NAME  # noqa: PLC0415

        kind = GGML_TYPES_BY_NAME.get(tensor.dtype)
        # How a type that isn't known packs its values isn't known either.
        return prod(tensor.shape) if kind is None else kind.block_values
    bits = 8 * tensor.nbytes // prod(tensor.shape)
    return 8 // gcd(8, bits)


def chosen_tensors(model: Model, tensors: Sequence[str], blocks: Sequence[str]) -> list[int]:
    """Indices of the tensors that any of the patterns names, ascending.

    A pattern is a name or a glob (`*`, `?`, `[...]`, upper and lower case differ); one of
    blocks may end in a range of their numbers, `layers.0-3`. Raises ConfigError, with the
    nearest names, for a pattern that names nothing.
    """
    chosen: set[int] = set()
    if tensors:
        names = [tensor.name for tensor in model.tensors]
        for pattern in tensors:
            chosen.update(_named(pattern, names, "tensor", model.name))
    if blocks:
        names = [block.name for block in model.blocks]
        for pattern in blocks:
            for index in _named(pattern, names, "block", model.name):
                chosen.update(model.blocks[index].tensors)
    return sorted(chosen)


def _named(pattern: str, names: Sequence[str], what: str, model_name: str) -> list[int]:
    found = [index for index, name in enumerate(names) if name == pattern]
    if not found:
        matches = _matcher(pattern, ranges=what == "block")
        found = [index for index, name in enumerate(names) if matches(name)]
    if not found:
        raise ConfigError(
            Message("{model} has no block {pattern}.", model=model_name, pattern=repr(pattern))
            if what == "block"
            else Message(
                "{model} has no tensor {pattern}.", model=model_name, pattern=repr(pattern)
            ),
            _nearest(pattern, names),
        )
    return found


def _matcher(pattern: str, *, ranges: bool) -> Callable[[str], object]:
    from fnmatch import fnmatchcase, translate  # noqa: PLC0415  whole models start sooner without

    span = _RANGE.fullmatch(pattern) if ranges else None
    if span is None:
        return re.compile(translate(pattern)).match
    container, first, last = span[1], int(span[2]), int(span[3])

    def in_range(name: str) -> bool:
        counted = _NUMBERED.fullmatch(name)
        return (
            counted is not None
            and first <= int(counted[2]) <= last
            and fnmatchcase(counted[1], container)
        )

    return in_range


def _nearest(pattern: str, names: Sequence[str]) -> Message:
    from difflib import get_close_matches  # noqa: PLC0415  loads start sooner without it

    near = get_close_matches(pattern, names[:_MOST_COMPARED], _SHOWN)
    if near:
        return Message("Nearest: {near}.", near=", ".join(near))
    return Message(
        "There are {count}, for example: {names}.",
        count=len(names),
        names=", ".join(names[:_SHOWN]),
    )
