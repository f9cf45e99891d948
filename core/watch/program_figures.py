"""Figures of all processes of a watched program, and how long they waited for what."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Literal

from msgspec import structs

from modelmon.core.machine.processes import descendants, sockets_of
from modelmon.core.machine.procfs import parse_schedstat, remote_sockets, value
from modelmon.core.worker.figures import (
    GROWING,
    LoaderTotals,
    ProcReader,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence


Asleep = Literal["lock", "network"]

# Functions of Linux 5 and 6, by the files that have them: fs/locks.c, net/core/sock.c and stream.c.
_LOCKS = {"locks_lock_inode_wait", "flock_lock_inode_wait", "do_lock_file_wait", "fcntl_setlk"}
_RECEIVES = {"wait_woken", "sk_wait_data", "__skb_wait_for_more_packets", "tcp_recvmsg_locked"}
_POLLS = ("do_poll", "do_sys_poll", "do_epoll", "ep_poll", "do_select", "poll_schedule")
_SOCKETS_EVERY_NS, _SOCKETS_SHARE = 250_000_000, 0.01
"""How often sockets are looked at, and at most this part of the time."""
_LOOKS_AT_A_SOCKET = 4
"""One that isn't connected by then never will be."""
_CLOCK_OF_PROCESS = 2  # CPUCLOCK_SCHED of linux/posix-timers.h


class ProgramReader(ProcReader):
    """The same figures of processes that come and go.

    What has ended stays counted. `waiting_share` is 1 where any thread waits: how many readers
    there are nobody knows. `bystanders` are below them and load something else: they hand their
    figures up when they end, so what they use counts from the start, and their memory never.
    """

    def __init__(self, pids: Sequence[int], bystanders: Collection[int] = ()) -> None:
        """Both may change between two readings."""
        super().__init__(pids, readers=1)
        self._watched, self._bystanders = pids, bystanders
        self._known_pids = {*pids, *(each for pid in pids for each in descendants(pid))}
        self._processes_before = len(self._known_pids)
        self._sockets: dict[str, int] = {}
        self._connected: set[str] = set()
        self._sockets_due_ns = self._connections = 0
        self._look_at_sockets()
        self._connections = 0
        self._queued_ns: dict[tuple[int, str], int] = {}
        self._tells_queues = parse_schedstat(value("/proc/thread-self/schedstat")) is not None
        self._were_runnable: set[tuple[int, str]] = set()
        self._ran: dict[int, tuple[int | None, list[str]]] = {}
        self._last = LoaderTotals()
        self._begun_ns = self._looked_ns = time.monotonic_ns()
        self._was_blocked = self._has_read = False
        self._peak_rss_bytes: int | None = None
        self._slept_in: Asleep | None = None
        self._asleep_ns: dict[Asleep, int] = {"lock": 0, "network": 0}

    def read(self) -> LoaderTotals:
        """The totals now."""
        self._pids = [*self._watched, *self._bystanders]
        found = super().read()
        queued_ns = self._queued()
        reading_ns, waited_ns = self._spent(found)
        self._known_pids.update(self._watched)
        self._look_at_sockets()
        found = structs.replace(
            found,
            reading_ns=(self._last.reading_ns or 0) + reading_ns,
            waited_ns=(self._last.waited_ns or 0) + waited_ns,
            queued_ns=queued_ns,
            lock_ns=self._asleep_ns["lock"],
            network_ns=self._asleep_ns["network"],
            processes=len(self._known_pids) - self._processes_before,
            connections=self._connections,
        )
        # A process whose parent does not wait for it takes its figures along when it ends.
        known = {
            name: [n for n in (getattr(self._last, name), getattr(found, name)) if n is not None]
            for name in GROWING
        }
        self._last = structs.replace(
            found, **{n: max(both, default=None) for n, both in known.items()}
        )
        peaks = (self._peak_rss_bytes, self._status_sum("VmHWM"))
        self._peak_rss_bytes = max((peak for peak in peaks if peak is not None), default=None)
        return self._last

    def _read_status(self) -> None:
        own = (each for pid, each in self._processes.items() if pid not in self._bystanders)
        self._status = [text for each in own if (text := each.status.read()) is not None]

    def _look_at_threads(self) -> float:
        """Threads wait for what they waited for, as long as none has run."""
        # By name: a new thread may have replaced one that ended.
        ran = {pid: (_ran_ns(pid), [*each.threads]) for pid, each in self._processes.items()}
        self._slept_in = None
        if ran != self._ran or any(ran_ns is None for ran_ns, _ in ran.values()):
            self._ran = ran
            return super()._look_at_threads()
        if not self._waiting:
            self._slept_in = self._asleep()
        return float(bool(self._waiting))

    def _asleep(self) -> Asleep | None:
        """What one of its main threads sleeps in, where none of its threads has run: the kernel's
        function (proc(5), wchan) tells locks of files and answers that haven't come. Who polls
        waits for the network where it has a connection to another machine.
        """
        functions = {value(f"/proc/{pid}/wchan") for pid in self._watched}
        if functions & _LOCKS:
            return "lock"
        if functions & _RECEIVES:
            return "network"
        polls = any(each.startswith(_POLLS) for each in functions if each)
        return "network" if polls and self._connected else None

    def _look_at_sockets(self) -> None:
        """Those of its processes that are connected to other machines, and how many came."""
        begun_ns = time.monotonic_ns()
        if begun_ns < self._sockets_due_ns or not self._watched:
            return
        tables = (f"/proc/{self._watched[0]}/net/{name}" for name in ("tcp", "tcp6"))
        own = {socket for pid in self._watched for socket in sockets_of(pid)}
        self._sockets = {socket: self._sockets.get(socket, 0) + 1 for socket in own}
        self._connected &= own
        # The kernel takes milliseconds for its tables, and most sockets are of other kinds.
        if any(looks <= _LOOKS_AT_A_SOCKET for looks in self._sockets.values()):
            remote = set[str]().union(*(remote_sockets(value(table)) for table in tables))
            new = (remote & own) - self._connected
            self._connections += len(new)
            self._connected |= new
        now_ns = time.monotonic_ns()
        rest_ns = max(_SOCKETS_EVERY_NS, (now_ns - begun_ns) / _SOCKETS_SHARE)
        self._sockets_due_ns = now_ns + round(rest_ns)

    def _queued(self) -> int | None:
        """How long it has waited for a processor: by each look as long as the thread that waited
        longest since the last one. Of threads that sleep it is not asked.
        """
        were, self._were_runnable = self._were_runnable, set(self._runnable)
        longest_ns = 0
        for pid, thread in were | self._were_runnable:
            queued_ns = parse_schedstat(value(f"/proc/{pid}/task/{thread}/schedstat"))
            if queued_ns is not None:
                before_ns = self._queued_ns.get((pid, thread), queued_ns)
                longest_ns = max(longest_ns, queued_ns - before_ns)
                self._queued_ns[pid, thread] = queued_ns
        if not self._tells_queues:
            return None
        # Two may have waited by turns, and each is told of when its turn comes.
        most_ns = time.monotonic_ns() - self._begun_ns
        return min(most_ns, (self._last.queued_ns or 0) + longest_ns)

    def peak_rss_bytes(self) -> int | None:
        """The highest sum of what its processes have had at most."""
        return self._peak_rss_bytes

    def _spent(self, found: LoaderTotals) -> tuple[int, int]:
        """The time since the last look, from when it first read on, and how much of that it waited
        for storage, as far as the looks at both ends tell.
        """
        now_ns = time.monotonic_ns()
        interval_ns, self._looked_ns = now_ns - self._looked_ns, now_ns
        if self._slept_in:
            self._asleep_ns[self._slept_in] += interval_ns
        was_blocked, self._was_blocked = self._was_blocked, bool(self._waiting)
        fetches = (found.device_bytes or 0) > (self._last.device_bytes or 0)
        self._has_read |= fetches or was_blocked or self._was_blocked
        if not self._has_read:
            return 0, 0
        return interval_ns, interval_ns * (was_blocked + self._was_blocked) // 2


def _ran_ns(pid: int) -> int | None:
    """How long all threads of a process have run, to the nanosecond (clock_getcpuclockid(3))."""
    try:
        return time.clock_gettime_ns(~pid << 3 | _CLOCK_OF_PROCESS)
    except OSError:
        return None  # it has ended
