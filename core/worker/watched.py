"""What the supervisor needs of whatever loads: loaders of its own, or somebody else's program."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol

from modelmon.core.messages import NOTHING, Message

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from modelmon.core.load.extents import Extent
    from modelmon.core.load.files import OpenFiles
    from modelmon.core.load.threads import Account
    from modelmon.core.worker.events import Chunks, WatchedProgram
    from modelmon.core.worker.figures import LoaderReader, LoaderTotals
    from modelmon.core.worker.run_warnings import RunWarning
    from modelmon.core.worker.streams import Inbox, Incoming

Moment = Literal["", "before", "reading"]
"""Of a watched program: nothing of the model has been read yet, or it is being read now."""
WHOLE_SHARE = 0.99
"""From this share on a model counts as loaded: the kernel may drop single pages at any time."""


class SeenProgress(Protocol):
    """How far a load is, at any time."""

    @property
    def delivered_bytes(self) -> int:
        """How many wanted bytes have come."""

    @property
    def warmup_bytes(self) -> int:
        """How many bytes a warm-up has read."""

    @property
    def warmup_done_ns(self) -> int:
        """When the warm-up was over; 0 before and without one."""


class Watched(ABC):
    """What loads, from before it starts until it is closed."""

    progress: SeenProgress
    figures: LoaderReader
    pids: list[int]
    root_pid = 0
    """The process of somebody else's program; 0 of loaders."""
    readers: int
    decoders = decode_ns = startup_ns = 0
    waiting: Message = NOTHING
    whole_share = 1.0

    @property
    @abstractmethod
    def done(self) -> bool:
        """Whether the load is over."""

    @property
    @abstractmethod
    def reading(self) -> int:
        """How many readers still have work."""

    @property
    @abstractmethod
    def memory_kind(self) -> str:
        """Where the bytes are."""

    @property
    @abstractmethod
    def warnings(self) -> list[RunWarning]:
        """What makes its figures worth less."""

    @property
    def mapped_bytes(self) -> int | None:
        """How much of them is the page cache's own memory; None where that is not known."""
        return None

    @property
    def moment(self) -> Moment:
        """Which part of its wait this is; "" where all of it is reading."""
        return ""

    @property
    def begun_ns(self) -> int | None:
        """Since when it has read the model, where that isn't from the start."""
        return None

    @property
    def load_ns(self) -> int | None:
        """How long it took, where requests don't show that."""
        return None

    @property
    def tells_blocks(self) -> bool:
        """Whether it is seen which bytes came."""
        return True

    @property
    def untold(self) -> Sequence[Extent]:
        """What was in memory before, where nothing tells that it is used."""
        return ()

    @property
    def told(self) -> Mapping[str, Any]:
        """What the last line of a run says besides."""
        return {}

    @abstractmethod
    def take_chunks(self, started_ns: int) -> Iterator[Chunks]:
        """The requests that were seen since the last call, with times since the start."""

    @abstractmethod
    def listen(self, inbox: Inbox) -> None:
        """Have what it says come in as messages."""

    @abstractmethod
    def wait_ready(self, inbox: Inbox) -> None:
        """Return when nothing but letting it go is left to do."""

    @abstractmethod
    def go(self) -> int:
        """Let it go, and return when (monotonic nanoseconds)."""

    def take(self, message: Incoming) -> None:
        """Take in what it said."""
        del message

    def look(self, now_ns: int, totals: LoaderTotals, *, is_last: bool) -> None:
        """See what became of it; `totals` are its own, read just now."""
        del now_ns, totals, is_last

    def printed(self) -> Iterable[tuple[int, str]]:
        """Lines that it has printed since the last call, with their times (monotonic)."""
        return ()

    @abstractmethod
    def cut_off_warning(self, after_ns: int) -> RunWarning:
        """What is said where it was ended before its end."""

    def accounts(self) -> list[Account]:
        """Where the time of each reader went, as far as that is known."""
        return []

    def checksums(self, inbox: Inbox) -> dict[int, str]:
        """SHA-256 of what each reader delivered, by its number, as far as that is known."""
        del inbox
        return {}

    @abstractmethod
    def close(self) -> list[int]:
        """End it; returns processes that nothing can end."""


StartWatched = Callable[["WatchedProgram", str, "OpenFiles", "Sequence[Extent]"], Watched]
"""Starts the program of a job, held; takes the model's name, its files and what is wanted."""
