"""LoadConfig: how a model is loaded, as independent axes; a strategy is a named LoadConfig."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Literal, get_args, get_type_hints

from modelmon.core.errors import ConfigError
from modelmon.core.units import MIB, parse_size, request_text

Access = Literal["mmap", "read"]
Order = Literal["file", "model", "random"]
ReaderKind = Literal["thread", "process"]
Descriptor = Literal["own", "shared"]
Warmup = Literal["none", "read"]
Advice = Literal["normal", "sequential", "random"]
Deliver = Literal["usable", "owned"]

MAX_READERS = 64
MIN_CHUNK_BYTES = 4096
MAX_CHUNK_BYTES = 1024 * MIB


@dataclass(frozen=True, slots=True)
class LoadConfig:
    """One way to load a model.

    access: `mmap` maps the file and touches every page; `read` reads into private memory.
    order: `file` by offset; `model` block by block as a model's code asks; `random` seeded.
    readers, reader_kind: how many threads or processes share the work; each byte is read
    by exactly one of them.
    descriptor: `own` opens the file once per reader; `shared` hands all readers one open
    file description, as forked workers have it.
    chunk_bytes: size of one request.
    warmup: `read` fills the page cache with a sequential read before the load.
    advice: what the kernel is told about the access pattern.
    deliver: `usable` ends when each byte can be reached without further I/O; `owned` ends
    when each byte is in private memory that the kernel cannot drop.
    """

    access: Access = "read"
    order: Order = "file"
    readers: int = 1
    reader_kind: ReaderKind = "thread"
    descriptor: Descriptor = "own"
    chunk_bytes: int = 4 * MIB
    warmup: Warmup = "none"
    advice: Advice = "normal"
    deliver: Deliver = "usable"

    def __post_init__(self) -> None:
        for name, choices in CHOICES.items():
            value = getattr(self, name)
            if value not in choices:
                raise ConfigError(
                    f"{name} cannot be {value!r}.", f"It is one of: {', '.join(choices)}."
                )
        if not 1 <= self.readers <= MAX_READERS:
            raise ConfigError(
                f"readers cannot be {self.readers}.", f"Choose from 1 to {MAX_READERS}."
            )
        if not MIN_CHUNK_BYTES <= self.chunk_bytes <= MAX_CHUNK_BYTES:
            raise ConfigError(
                f"chunk_bytes cannot be {self.chunk_bytes}.",
                f"Choose from {request_text(MIN_CHUNK_BYTES)} to {request_text(MAX_CHUNK_BYTES)}.",
            )
        if self.chunk_bytes % MIN_CHUNK_BYTES:
            raise ConfigError(
                f"chunk_bytes cannot be {self.chunk_bytes}.", "It is a multiple of 4096."
            )

    @property
    def memory_kind(self) -> str:
        """Where the bytes end up: `mapped` (evictable) or `owned`."""
        return "mapped" if self.access == "mmap" and self.deliver == "usable" else "owned"

    @property
    def in_process(self) -> LoadConfig:
        """The same ranges and descriptors with threads, for a load into the caller's memory."""
        return replace(self, reader_kind="thread")

    def differs_from(self, other: LoadConfig) -> tuple[str, ...]:
        """Names of the axes on which two configurations differ."""
        return tuple(axis for axis in AXES if getattr(self, axis) != getattr(other, axis))

    def as_dict(self) -> dict[str, Any]:
        """Axis names and values, as exported files and jobs store them."""
        return asdict(self)


AXES: tuple[str, ...] = tuple(field.name for field in fields(LoadConfig))
CHOICES: dict[str, tuple[str, ...]] = {
    name: get_args(hint) for name, hint in get_type_hints(LoadConfig).items() if get_args(hint)
}


@dataclass(frozen=True, slots=True)
class Preset:
    """A named LoadConfig and the sentence that says when it wins."""

    name: str
    when_it_wins: str
    config: LoadConfig


PRESETS: dict[str, Preset] = {
    preset.name: preset
    for preset in (
        Preset(
            "mmap",
            "As safetensors does. Wins when it is cached.",
            LoadConfig(access="mmap", order="model"),
        ),
        Preset(
            "shared-fd",
            "Workers share a descriptor: the known bad case.",
            LoadConfig(access="mmap", readers=4, reader_kind="process", descriptor="shared"),
        ),
        Preset(
            "sequential",
            "One reader, front to back. Wins on hard disks.",
            LoadConfig(access="read"),
        ),
        Preset(
            "parallel",
            "Threads read at once. Wins on NVMe.",
            LoadConfig(access="read", readers=4, chunk_bytes=MIB),
        ),
        Preset(
            "processes",
            "Each worker opens the file. Wins over sharing.",
            LoadConfig(access="mmap", readers=4, reader_kind="process"),
        ),
        Preset(
            "warm-then-map",
            "Reads, then maps. Wins where faults are slow.",
            LoadConfig(access="mmap", order="model", warmup="read"),
        ),
    )
}


def preset(name: str) -> Preset:
    """The preset called `name`; raises ConfigError with the known names."""
    try:
        return PRESETS[name]
    except KeyError:
        raise ConfigError(
            f"There is no strategy called {name!r}.", f"Choose one of: {', '.join(PRESETS)}."
        ) from None


def preset_name(config: LoadConfig) -> str:
    """Name of the preset that `config` is, delivery aside, or `custom`."""
    for candidate in PRESETS.values():
        if replace(candidate.config, deliver=config.deliver) == config:
            return candidate.name
    return "custom"


def with_axis(config: LoadConfig, axis: str, text: str) -> LoadConfig:
    """`config` with one axis set from text, as `--set readers=8` gives it."""
    if axis not in AXES:
        raise ConfigError(f"There is no axis called {axis!r}.", f"Axes: {', '.join(AXES)}.")
    value: Any = text
    if axis == "readers":
        if not text.isdecimal():
            raise ConfigError(f"readers cannot be {text!r}.", "It is a whole number.")
        value = int(text)
    elif axis == "chunk_bytes":
        value = parse_size(text)
    return replace(config, **{axis: value})


def config_from_dict(values: dict[str, Any]) -> LoadConfig:
    """A LoadConfig from stored axes; unknown or mistyped ones raise ConfigError."""
    unknown = sorted(set(values) - set(AXES))
    if unknown:
        raise ConfigError(
            f"Unknown axis {unknown[0]!r} in the load configuration.",
            f"This version knows: {', '.join(AXES)}.",
        )
    for axis in ("readers", "chunk_bytes"):
        if axis in values and type(values[axis]) is not int:
            raise ConfigError(f"{axis} cannot be {values[axis]!r}.", "It is a whole number.")
    return LoadConfig(**values)
