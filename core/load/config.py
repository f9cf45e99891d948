"""Settings: LoadConfig says how a model is loaded, as independent axes; a preset is a named one.

Which axes go together is in rules.py. Light: loader processes import it.
"""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Literal, get_args

from modelmon.core.errors import ConfigError
from modelmon.core.messages import Message
from modelmon.core.units import GIB, MIB, parse_size, request_text, whole_number

if TYPE_CHECKING:
    from typing import TypeGuard


Access = Literal["mmap", "read", "direct", "auto"]
Order = Literal["file", "model", "random"]
ReaderKind = Literal["thread", "process"]
RankShare = Literal["whole", "slice"]
Descriptor = Literal["own", "shared"]
Warmup = Literal["none", "read", "populate", "readahead", "willneed"]
Advice = Literal["normal", "sequential", "random"]
Deliver = Literal["usable", "owned", "streamed", "decoded", "untouched"]
HugePages = Literal["on", "off"]

_EARLIER_WARMUPS = ("readahead", "willneed")
"""Kept runs and exported files have them: they told the kernel what to read."""

MAX_READERS = 64
MAX_RANKS = 64
MIN_CHUNK_BYTES = 4096
MAX_CHUNK_BYTES = 1024 * MIB
MAX_PREFETCH_BYTES = 64 * GIB
NO_LIBRARY = "none"
PROGRAM = "program"

ML_DTYPES = {
    "BF16": "bfloat16",
    "F8_E4M3": "float8_e4m3fn",
    "F8_E5M2": "float8_e5m2",
    "F8_E8M0": "float8_e8m0fnu",
    "F8_E4M3FNUZ": "float8_e4m3fnuz",
    "F8_E5M2FNUZ": "float8_e5m2fnuz",
}
"""Types of safetensors that numpy lacks, and what ml_dtypes calls them."""


@dataclass(frozen=True, slots=True)
class LoadConfig:
    """One way to load a model.

    access: `mmap` maps the file and touches every page; `read` reads through the page cache
    into private memory; `direct` reads past the cache (O_DIRECT; F_NOCACHE on macOS); `auto`
    maps what is cached, or copies it where it is to be owned or a mount may go away, and reads
    the rest past the cache: in long loads one reader at a time, where that is faster (turns.py).
    order: `file` by offset; `model` block by block as a model's code asks; `random` seeded.
    readers, reader_kind: how many threads or processes share the work; each byte is read
    by exactly one of them.
    ranks, rank_share: how many processes load at once, as GPU workers do, each the `whole`
    model or its tensor-parallel `slice`; each has `readers` readers.
    descriptor: `own` opens the file once per reader; `shared` hands all readers one open
    file description, as forked workers have it.
    chunk_bytes: size of one request.
    warmup: fills the page cache before the load: `read` sequentially, `populate` by mapping every
    page at once. What earlier versions called `readahead` and `willneed` is `read` now.
    prefetch_bytes: how far a second thread reads ahead of each reader; 0 is off.
    advice: what the kernel is told about the access pattern.
    deliver: `usable` ends when each byte can be reached without further I/O, mapped or read;
    `owned` when each is in private memory that the kernel cannot drop; `streamed` when each passed
    through a small buffer or a map; `decoded` when each was turned to float32 on its way through;
    `untouched` when a library returned, whether or not anything was read.
    huge_pages: whether private memory asks for huge pages.
    library: a baseline that loads as its users call it, or `none`; `program` is whatever was
    watched loading the model, of which no other axis is known.
    """

    access: Access = "read"
    order: Order = "file"
    readers: int = 1
    reader_kind: ReaderKind = "thread"
    ranks: int = 1
    rank_share: RankShare = "whole"
    descriptor: Descriptor = "own"
    chunk_bytes: int = 4 * MIB
    warmup: Warmup = "none"
    prefetch_bytes: int = 0
    advice: Advice = "normal"
    deliver: Deliver = "usable"
    huge_pages: HugePages = "on"
    library: str = NO_LIBRARY

    def __post_init__(self) -> None:
        if self.warmup in _EARLIER_WARMUPS:
            object.__setattr__(self, "warmup", "read")
        for name, choices in CHOICES.items():
            if (value := getattr(self, name)) not in choices:
                remedy = Message("Choose one of: {choices}.", choices=", ".join(choices))
                raise refusal(name, repr(value), remedy)
        for name, (least, most) in RANGES.items():
            value = getattr(self, name)
            if type(value) is not int:
                raise refusal(name, repr(value), Message("Write a whole number."))
            if not least <= value <= most:
                text = request_text if name in SIZES else str
                remedy = Message(
                    "Choose from {least} to {most}.", least=text(least), most=text(most)
                )
                raise refusal(name, value, remedy)
        if self.chunk_bytes % MIN_CHUNK_BYTES:
            remedy = Message("Choose a multiple of 4096.")
            raise refusal("chunk_bytes", self.chunk_bytes, remedy)
        if not isinstance(self.library, str):
            raise refusal("library", repr(self.library), Message("Write a name."))

    @property
    def memory_kind(self) -> str:
        """Where the bytes end up: `mapped` (evictable), `owned`, or `streamed` (not kept). Of what
        is `owned`, `auto` may have mapped some: a result says how much.
        """
        if self.deliver in ("streamed", "decoded"):
            return "streamed"
        if self.deliver == "untouched":
            return "mapped"
        mapped = self.access == "mmap" or self.library != NO_LIBRARY
        return "mapped" if mapped and self.deliver == "usable" else "owned"

    @property
    def in_process(self) -> LoadConfig:
        """The same ranges and descriptors with threads, for a load into the caller's memory."""
        return replace(self, reader_kind="thread", ranks=1, rank_share="whole")

    @property
    def loads_here(self) -> bool:
        """Whether `load_model` can load this way, into the caller's own memory."""
        return self.processes == 1 and self.library == NO_LIBRARY

    @property
    def processes(self) -> int:
        """How many loader processes the load takes."""
        return self.readers if self.reader_kind == "process" else self.ranks

    def differs_from(self, other: LoadConfig) -> tuple[str, ...]:
        """Names of the axes on which two configurations differ."""
        return tuple(axis for axis in AXES if getattr(self, axis) != getattr(other, axis))

    def as_dict(self) -> dict[str, Any]:
        """Axis names and values, as exported files and jobs store them."""
        return asdict(self)


AXES: tuple[str, ...] = tuple(field.name for field in fields(LoadConfig))
CHOICES: dict[str, tuple[str, ...]] = {
    "access": get_args(Access),
    "order": get_args(Order),
    "reader_kind": get_args(ReaderKind),
    "rank_share": get_args(RankShare),
    "descriptor": get_args(Descriptor),
    "warmup": ("none", "read", "populate"),
    "advice": get_args(Advice),
    "deliver": get_args(Deliver),
    "huge_pages": get_args(HugePages),
}
RANGES: dict[str, tuple[int, int]] = {
    "readers": (1, MAX_READERS),
    "ranks": (1, MAX_RANKS),
    "chunk_bytes": (MIN_CHUNK_BYTES, MAX_CHUNK_BYTES),
    "prefetch_bytes": (0, MAX_PREFETCH_BYTES),
}
SIZES = frozenset({"chunk_bytes", "prefetch_bytes"})
"""Axes whose value is a number of bytes."""


def refusal(name: str, value: object, remedy: Message) -> ConfigError:
    """The error for a setting that can't have this value."""
    return ConfigError(Message("{name} can't be {value}.", name=name, value=value), remedy)


def with_axis(config: LoadConfig, axis: str, text: str) -> LoadConfig:
    """`config` with one axis set from text, as `--set readers=8` gives it."""
    if axis not in AXES:
        raise ConfigError(
            Message("There's no setting called {axis}.", axis=repr(axis)),
            Message("Settings: {axes}.", axes=", ".join(AXES)),
        )
    value: Any = text
    if axis in SIZES:
        value = parse_size(text)
    elif axis in RANGES:
        value = whole_number(text)
        if value is None:
            raise refusal(axis, repr(text), Message("Write a whole number."))
    return with_value(config, axis, value)


def with_value(config: LoadConfig, axis: str, value: Any) -> LoadConfig:
    """`config` with one axis set; raises ConfigError for a value that it cannot have."""
    return replace(config, **{axis: value})


def config_from_dict(values: dict[str, Any]) -> LoadConfig:
    """A LoadConfig from stored axes; unknown or mistyped ones raise ConfigError."""
    unknown = sorted(set(values) - set(AXES))
    if unknown:
        raise ConfigError(
            Message(
                "Unknown setting {unknown} in the load configuration.", unknown=repr(unknown[0])
            ),
            Message("This version knows: {axes}.", axes=", ".join(AXES)),
        )
    return LoadConfig(**values)


CUSTOM = "custom"
"""What a configuration is called that has no name."""


@dataclass(frozen=True, slots=True)
class Preset:
    """A named LoadConfig, and what it does: when it wins depends on the storage."""

    name: str
    when_it_wins: Message
    config: LoadConfig


PRESETS: dict[str, Preset] = {
    preset.name: preset
    for preset in (
        Preset(
            "mmap",
            Message("What most runtimes do. Leaves the file cached."),
            LoadConfig(access="mmap", order="model"),
        ),
        Preset(
            "shared-fd",
            Message("Workers share one descriptor and its readahead."),
            LoadConfig(access="mmap", readers=4, reader_kind="process", descriptor="shared"),
        ),
        Preset(
            "sequential",
            Message("One reader, front to back. Few seeks."),
            LoadConfig(access="read"),
        ),
        Preset(
            "parallel",
            Message("Several threads read at once. Often fast on NVMe."),
            LoadConfig(access="read", readers=4, chunk_bytes=MIB),
        ),
        Preset(
            "processes",
            Message("Several processes, each with its own descriptor."),
            LoadConfig(access="mmap", readers=4, reader_kind="process"),
        ),
        Preset(
            "direct",
            Message("Several threads read past the page cache."),
            LoadConfig(access="direct", readers=8, chunk_bytes=2 * MIB),
        ),
        Preset(
            "auto",
            Message("Maps cached parts, reads the rest."),
            LoadConfig(access="auto", readers=8, chunk_bytes=2 * MIB),
        ),
        Preset(
            "warm-then-map",
            Message("Reads the file into the page cache, then maps it."),
            LoadConfig(access="mmap", order="model", warmup="read"),
        ),
        Preset(
            "prefetch",
            Message("Reads ahead of where the map is used."),
            LoadConfig(access="mmap", order="file", prefetch_bytes=64 * MIB),
        ),
        Preset(
            "populate",
            Message("The kernel maps all at once."),
            LoadConfig(access="mmap", order="file", warmup="populate"),
        ),
    )
}


def preset(name: str) -> Preset:
    """The preset called `name`; raises ConfigError with the known names."""
    try:
        return PRESETS[name]
    except KeyError:
        raise ConfigError(
            Message("There's no strategy called {name}.", name=repr(name)),
            Message("Choose one of: {presets}.", presets=", ".join(PRESETS)),
        ) from None


def is_strategy_name(config: object) -> TypeGuard[str]:
    """Whether a text names a strategy, known or not, rather than an exported file."""
    return (
        isinstance(config, str)
        and not config.endswith(".toml")
        and {"/", os.sep}.isdisjoint(config)
    )


def preset_name(config: LoadConfig) -> str:
    """Name of the preset that `config` is, delivery aside, or `custom`."""
    for candidate in PRESETS.values():
        if replace(candidate.config, deliver=config.deliver) == config:
            return candidate.name
    return CUSTOM
