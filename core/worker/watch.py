"""The timed part of a load: loaders let go, samples taken, until the last one reports."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from modelmon.core.errors import CancelledError
from modelmon.core.messages import NOTHING, Message
from modelmon.core.worker.events import Blocks, Job, Phase, Started, Waiting
from modelmon.core.worker.loaders import next_message
from modelmon.core.worker.run_warnings import FEW_SAMPLES, RunWarning, warned

if TYPE_CHECKING:
    from modelmon.core.worker.block_timings import BlockTimer
    from modelmon.core.worker.cache_state import CacheState
    from modelmon.core.worker.figures import LoaderTotals
    from modelmon.core.worker.sampler import Sampler
    from modelmon.core.worker.streams import EventWriter, Inbox
    from modelmon.core.worker.watched import SeenRequests, Watched

# Chunk records and block timings go out this much more rarely than samples.
_CHUNKS_EVERY_NS = 200_000_000
_BLOCKS_EVERY_NS = 500_000_000
_BLOCKS_SHARE = 1 / 50
"""Block timings take up at most this part of the time: of many requests they are dear."""
_SLOW_EVERY = 5
_LATE_NS = 50_000_000


class Watch:
    """Watches one load from `go` to the last loader's report."""

    def __init__(
        self,
        loaders: Watched,
        sampler: Sampler,
        cache: CacheState,
        chunks: SeenRequests,
        blocks: BlockTimer,
    ) -> None:
        self._loaders = loaders
        self._sampler = sampler
        self._cache = cache
        self._chunks = chunks
        self._blocks = blocks
        self.samples = 0
        self.max_late_ns = 0
        self.started_ns = 0
        self.cpu_ns = 0
        self.wall_ns = 0
        self.cut_off_ns = 0
        self._last_end_ns = 0
        self._warming = self._has_come = False
        self._waiting = NOTHING

    def run(self, writer: EventWriter, inbox: Inbox, job: Job) -> None:
        """Let the loaders go and report until they are done, or the job's time for them is over.

        Raises LoadFailedError when one fails, CancelledError when the command stream ends.
        """
        period_ns = round(1e9 / job.sample_hz)
        self._warming = job.config.warmup != "none"
        writer.write(Started(self._loaders.root_pid))
        cpu_ns = time.process_time_ns()
        self.started_ns = self._loaders.go()
        writer.write(Phase("warmup" if self._warming else "load", 0))
        due_ns = self.started_ns + period_ns
        chunks_due_ns = self.started_ns + _CHUNKS_EVERY_NS
        blocks_due_ns = self.started_ns + _BLOCKS_EVERY_NS
        while not self._loaders.done:
            try:
                message = next_message(inbox, (due_ns - time.monotonic_ns()) / 1e9)
            except CancelledError as error:
                raise CancelledError(error.message, self._loaders.waiting) from error
            if message is not None:
                if isinstance(message.sender, int):
                    self._loaders.take(message)
                continue
            now_ns = time.monotonic_ns()
            too_slow = (
                job.most_load_ns is not None
                and now_ns - self.started_ns > job.most_load_ns
                and self._loaders.reading > 0
            )
            if too_slow:
                self.cut_off_ns = now_ns - self.started_ns
                break
            # When the last reader is done the load is over; the closing sample follows.
            if self._loaders.reading:
                self._sample(writer, now_ns, now_ns - due_ns)
            if now_ns >= chunks_due_ns:
                self._send_chunks(writer)
                chunks_due_ns = now_ns + _CHUNKS_EVERY_NS
            if now_ns >= blocks_due_ns and self._loaders.tells_blocks and self._has_come:
                self._has_come = False
                began_ns = time.thread_time_ns()
                writer.write(self._blocks_so_far(), may_drop=True)
                took_ns = time.thread_time_ns() - began_ns
                blocks_due_ns = now_ns + max(_BLOCKS_EVERY_NS, round(took_ns / _BLOCKS_SHARE))
            self._map_cache(writer, now_ns - self.started_ns)
            # A sampler that was late goes on from where it is, without a burst.
            due_ns = max(due_ns + period_ns, now_ns + period_ns // 2)
        self.cpu_ns = time.process_time_ns() - cpu_ns

    def _sample(self, writer: EventWriter, now_ns: int, late_ns: int) -> None:
        if self._warming and self._loaders.progress.warmup_done_ns:
            self._warming = False
            t_ns = self._loaders.progress.warmup_done_ns - self.started_ns
            writer.write(Phase("load", t_ns))
        totals = self._look(now_ns)
        # The machine's memory changes slowly and costs more than the rest.
        slow = self.samples % _SLOW_EVERY == 0
        t_ns = now_ns - self.started_ns
        sample = self._sampler.sample(t_ns, late_ns, totals, with_memory=slow)
        writer.write(sample, may_drop=True)
        self._sampler.mark(self._loaders.moment, totals)
        self.samples += 1
        if self._loaders.waiting != self._waiting:
            self._waiting = self._loaders.waiting
            writer.write(Waiting(now_ns - self.started_ns, self._waiting))
        self.max_late_ns = max(self.max_late_ns, late_ns)

    def _look(self, now_ns: int, *, is_last: bool = False) -> LoaderTotals:
        totals = self._sampler.totals()
        self._loaders.look(now_ns, totals, is_last=is_last)
        return totals

    def _map_cache(self, writer: EventWriter, t_ns: int) -> None:
        found = self._cache.maps.look_if_due(t_ns)
        if found is not None:
            writer.write(found, may_drop=True)

    def _send_chunks(self, writer: EventWriter) -> None:
        for chunks in self._chunks.take(self.started_ns):
            self._has_come = True
            self._blocks.add(chunks, max(1, self._loaders.reading))
            self._last_end_ns = max(self._last_end_ns, *chunks.end_ns)
            writer.write(self._chunks.merged(chunks), may_wait=True)

    def _blocks_so_far(self) -> Blocks:
        # How many requests are in flight is known of readers alone. What a look found of a program
        # all came in the same stretch of time; there are few such, and they can be divided anew.
        return self._blocks.timings() if self._loaders.readers else self._final_blocks()

    def _final_blocks(self) -> Blocks:
        return self._blocks.final(self._loaders.untold, self._loaders.whole_share)

    def finish(self, writer: EventWriter) -> None:
        """Send what is left to tell, after the last loader reported."""
        totals = self._look(time.monotonic_ns(), is_last=True)
        self._send_chunks(writer)
        load_ns = self.cut_off_ns or self._loaders.load_ns
        self.wall_ns = load_ns or max(self._last_end_ns, self.warmup_ns)
        sample = self._sampler.sample(self.wall_ns, 0, totals)
        self._sampler.mark(self._loaders.moment, totals)
        if self._warming:
            writer.write(Phase("load", self.warmup_ns))
        writer.write(sample)
        self.samples += 1
        if self._loaders.tells_blocks:
            writer.write(self._final_blocks())
        for warning in self._warnings(writer):
            writer.write(warning)

    @property
    def warmup_ns(self) -> int:
        """How long the warm-up took, 0 without one."""
        done_ns = self._loaders.progress.warmup_done_ns
        return done_ns - self.started_ns if done_ns else 0

    def _warnings(self, writer: EventWriter) -> list[RunWarning]:
        warnings = []
        if self.samples < FEW_SAMPLES:
            count = (
                Message("1 sample")
                if self.samples == 1
                else Message("{samples} samples", samples=self.samples)
            )
            text = Message("The load ended after {count}: rely on totals, not curves.", count=count)
            warnings.append(warned("few-samples", text, count))
        if self.max_late_ns > _LATE_NS:
            late = Message("{max_late} ms late", max_late=f"{self.max_late_ns / 1000000.0:.0f}")
            text = Message("A sample came {late}: the machine is busy.", late=late)
            warnings.append(warned("late-samples", text, late))
        if self.cut_off_ns:
            warnings.append(self._loaders.cut_off_warning(self.cut_off_ns))
        if writer.dropped:
            text = Message(
                "{dropped} samples were dropped because they weren't read in time.",
                dropped=writer.dropped,
            )
            warnings.append(
                warned(
                    "dropped-samples", text, Message("{dropped} dropped", dropped=writer.dropped)
                )
            )
        return warnings
