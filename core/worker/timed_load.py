"""The timed part of a load: loaders let go and sampled until the last one reports, then summed up.

It opens nothing and sets nothing; what the start was is judged elsewhere (cache_state.py).
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from modelmon.core.errors import CancelledError
from modelmon.core.load.threads import io_wait_share, run_queue_share
from modelmon.core.messages import NOTHING, Message
from modelmon.core.worker.events import (
    Blocks,
    Counters,
    Finished,
    Job,
    PrintedLine,
    Started,
    Waiting,
    is_due,
)
from modelmon.core.worker.run_warnings import FEW_SAMPLES, RunWarning, warned

if TYPE_CHECKING:
    from modelmon.core.worker.block_timings import BlockTimer
    from modelmon.core.worker.cache_state import CacheState
    from modelmon.core.worker.figures import LoaderTotals
    from modelmon.core.worker.sampler import Sampler
    from modelmon.core.worker.streams import EventWriter, Inbox
    from modelmon.core.worker.watched import Watched

# Chunk records and block timings go out this much more rarely than samples.
_CHUNKS_EVERY_NS = 200_000_000
_BLOCKS_EVERY_NS = 500_000_000
_BLOCKS_SHARE = 1 / 50
"""Block timings take up at most this part of the time: of many requests they are dear."""
_SLOW_EVERY = 5
_LATE_NS = 50_000_000


class TimedLoad:
    """One load from `go` to the last report."""

    def __init__(
        self,
        writer: EventWriter,
        loaders: Watched,
        sampler: Sampler,
        cache: CacheState,
        blocks: BlockTimer,
    ) -> None:
        self._writer = writer
        self._loaders = loaders
        self._sampler = sampler
        self._cache = cache
        self._blocks = blocks
        self.cut_off_ns = 0
        self._samples = self._sampled_ns = self._max_late_ns = 0
        self._started_ns = self._cpu_ns = self._last_end_ns = 0
        self._has_come = False
        self._waiting = NOTHING

    def run(self, inbox: Inbox, job: Job) -> None:
        """Let the loaders go and report until they are done, or the job's time for them is over.

        Raises LoadFailedError when one fails, CancelledError when the command stream ends.
        """
        period_ns = round(1e9 / job.sample_hz)
        self._writer.write(Started(self._loaders.root_pid))
        cpu_ns = time.process_time_ns()
        self._started_ns = self._loaders.go()
        due_ns = self._started_ns + period_ns
        chunks_due_ns = self._started_ns + _CHUNKS_EVERY_NS
        blocks_due_ns = self._started_ns + _BLOCKS_EVERY_NS
        while not self._loaders.done:
            try:
                message = inbox.next((due_ns - time.monotonic_ns()) / 1e9)
            except CancelledError as error:
                raise CancelledError(error.message, self._loaders.waiting) from error
            if message is not None:
                if isinstance(message.sender, int):
                    self._loaders.take(message)
                continue
            now_ns = time.monotonic_ns()
            t_ns, most_ns = now_ns - self._started_ns, job.most_load_ns
            if most_ns is not None and t_ns > most_ns and self._loaders.reading > 0:
                self.cut_off_ns = t_ns
                break
            # When the last reader is done the load is over; the closing sample follows.
            if self._loaders.reading:
                self._sample(now_ns, now_ns - due_ns)
            if now_ns >= chunks_due_ns:
                self._send_chunks()
                chunks_due_ns = now_ns + _CHUNKS_EVERY_NS
            if now_ns >= blocks_due_ns and self._loaders.tells_blocks and self._has_come:
                self._has_come = False
                began_ns = time.thread_time_ns()
                self._writer.write(self._blocks_so_far(), may_drop=True)
                took_ns = time.thread_time_ns() - began_ns
                blocks_due_ns = now_ns + max(_BLOCKS_EVERY_NS, round(took_ns / _BLOCKS_SHARE))
            if (cached := self._cache.maps.look_if_due(t_ns)) is not None:
                self._writer.write(cached, may_drop=True)
            # A sampler that was late goes on from where it is, without a burst.
            due_ns = max(due_ns + period_ns, now_ns + period_ns // 2)
        self._cpu_ns = time.process_time_ns() - cpu_ns

    def _sample(self, now_ns: int, late_ns: int) -> None:
        totals = self._look(now_ns)
        t_ns = now_ns - self._started_ns
        self._tell_printed()
        if self._loaders.waiting != self._waiting:
            self._waiting = self._loaders.waiting
            self._writer.write(Waiting(t_ns, self._waiting))
        if not is_due(t_ns, self._sampled_ns):
            return
        # The machine's memory changes slowly and costs more than the rest.
        slow = self._samples % _SLOW_EVERY == 0
        sample = self._sampler.sample(t_ns, late_ns, totals, with_memory=slow)
        self._writer.write(sample, may_drop=True)
        self._sampler.mark(self._loaders.moment, totals)
        self._samples += 1
        self._sampled_ns = t_ns
        if self._sampler.was_crowded_out:
            self._max_late_ns = max(self._max_late_ns, late_ns)

    def _tell_printed(self) -> None:
        for at_ns, line in self._loaders.printed():
            told = PrintedLine(max(0, at_ns - self._started_ns), line)
            self._writer.write(told, may_wait=True)

    def _look(self, now_ns: int, *, is_last: bool = False) -> LoaderTotals:
        totals = self._sampler.totals()
        self._loaders.look(now_ns, totals, is_last=is_last)
        return totals

    def _send_chunks(self) -> None:
        for chunks in self._loaders.take_chunks(self._started_ns):
            self._has_come = True
            self._blocks.add(chunks, max(1, self._loaders.reading))
            self._last_end_ns = max(self._last_end_ns, *chunks.end_ns)
            self._writer.write(chunks, may_wait=True)

    def _blocks_so_far(self) -> Blocks:
        # How many requests are in flight is known of readers alone. What a look found of a program
        # all came in the same stretch of time; there are few such, and they can be divided anew.
        return self._blocks.timings() if self._loaders.readers else self._final_blocks()

    def _final_blocks(self) -> Blocks:
        return self._blocks.final(self._loaders.untold, self._loaders.whole_share)

    @property
    def _warmup_ns(self) -> int:
        """How long the warm-up took; 0 without one, and until it is over."""
        done_ns = self._loaders.progress.warmup_done_ns
        return done_ns - self._started_ns if done_ns else 0

    def finish(self) -> Finished:
        """Send what is left to tell after the last loader reported, and sum the load up.

        The loaders must still be there. The start counts as unknown until it is judged.
        """
        loaders, sampler = self._loaders, self._sampler
        totals = self._look(time.monotonic_ns(), is_last=True)
        self._send_chunks()
        self._tell_printed()
        wall_ns = self.cut_off_ns or loaders.load_ns or max(self._last_end_ns, self._warmup_ns)
        sample = sampler.sample(wall_ns, 0, totals)
        sampler.mark(loaders.moment, totals)
        self._writer.write(sample)
        self._samples += 1
        if loaders.tells_blocks:
            self._writer.write(self._final_blocks())
        for warning in self._warnings():
            self._writer.write(warning)
        part, device, device_read_bytes = sampler.part(loaders.begun_ns)
        counters = {name: getattr(part, name) for name in Counters.__struct_fields__}
        accounts = loaders.accounts()
        # Where the device gave nothing, its readers waited for each other.
        waited = io_wait_share(accounts) if accounts else part.waited_share
        return Finished(
            **counters | {"decode_ns": loaders.decode_ns or None},
            wall_ns=wall_ns,
            warmup_ns=self._warmup_ns,
            delivered_bytes=loaders.progress.delivered_bytes,
            memory_kind=loaders.memory_kind,
            mapped_bytes=loaders.mapped_bytes,
            cache_state="unknown",
            cache_evidence="unknown",
            counts=True,
            samples=self._samples,
            supervisor_cpu_ns=self._cpu_ns,
            startup_ns=loaders.startup_ns,
            decoders=loaders.decoders or None,
            io_wait_share=0.0 if part.device_bytes == 0 else waited,
            run_queue_share=run_queue_share(accounts) if accounts else part.queued_share,
            peak_rss_bytes=loaders.figures.peak_rss_bytes(),
            residency_after_share=self._cache.residency().share,
            device=device,
            device_read_bytes=device_read_bytes,
            memory=sampler.memory_pressure(),
            limits=sampler.limits(),
            **loaders.told,
        )

    def _warnings(self) -> list[RunWarning]:
        warnings = []
        if self._samples < FEW_SAMPLES:
            count = (
                Message("1 sample")
                if self._samples == 1
                else Message("{samples} samples", samples=self._samples)
            )
            text = Message("The load ended after {count}: rely on totals, not curves.", count=count)
            warnings.append(warned("few-samples", text, count))
        if self._max_late_ns > _LATE_NS:
            late = Message("{max_late} ms late", max_late=f"{self._max_late_ns / 1000000.0:.0f}")
            text = Message("A sample came {late}: the machine is busy.", late=late)
            warnings.append(warned("late-samples", text, late))
        if self.cut_off_ns:
            warnings.append(self._loaders.cut_off_warning(self.cut_off_ns))
        if dropped := self._writer.dropped:
            text = Message(
                "{dropped} samples were dropped because they weren't read in time.",
                dropped=dropped,
            )
            evidence = Message("{dropped} dropped", dropped=dropped)
            warnings.append(warned("dropped-samples", text, evidence))
        return warnings
