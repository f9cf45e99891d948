"""Events of a load under way: samples, finished requests, cached pages, timings of blocks."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from modelmon.core.limited_numbers import Amount, Integer, Number
from modelmon.core.load.config import MAX_RANKS, MAX_READERS
from modelmon.core.machine.page_cache import ResidencyMap
from modelmon.core.worker.wire import Event

CacheMoment = Literal["before", "during", "after"]

MOST_ARRIVALS = 16
"""Stretches of a block's arrivals. Of more those closest to each other are told as one: a stream
stays small whatever the order of the requests.
"""


class DeviceActivity(msgspec.Struct, frozen=True, omit_defaults=True):
    """The block device over one sampling interval, as `iostat -x` shows it."""

    reads_per_s: Number
    read_bytes_per_s: Number
    mean_request_bytes: Number | None = None
    read_await_ns: Number | None = None
    queue_depth: Number | None = None
    busy_share: Number | None = None
    writes_per_s: Number | None = None
    write_bytes_per_s: Number | None = None


class Sample(Event, frozen=True, tag="sample"):
    """What was seen at `t_ns`; `late_ns` is how much later than planned.

    Totals since the start: delivered_bytes, warmup_bytes (None without a warm-up),
    device_bytes (fetched from storage on behalf of the loaders), cpu_user_ns, cpu_system_ns,
    decode_ns (of both together what the decoders took; None where nothing is decoded),
    minor_faults, major_faults, queued_ns (how long one of a watched program's threads could run
    and had no processor). Levels: rss_*, available_bytes. Shares over the last interval:
    iowait_share (of the whole system's CPU time), psi_io_share (of wall time), and waiting_share
    (loader threads in D state, now).
    """

    t_ns: Integer
    late_ns: Integer
    delivered_bytes: Amount
    warmup_bytes: Integer | None = None
    device_bytes: Integer | None = None
    device: DeviceActivity | None = None
    cpu_user_ns: Integer | None = None
    cpu_system_ns: Integer | None = None
    decode_ns: Integer | None = None
    iowait_share: Number | None = None
    psi_io_share: Number | None = None
    waiting_share: Number | None = None
    minor_faults: Integer | None = None
    major_faults: Integer | None = None
    rss_anon_bytes: Integer | None = None
    rss_file_bytes: Integer | None = None
    rss_shared_bytes: Integer | None = None
    available_bytes: Integer | None = None
    queued_ns: Integer | None = None


class Chunks(Event, frozen=True, tag="chunks"):
    """Finished requests of one reader, as parallel columns: what was asked, where, when.

    `merged` is how many consecutive requests each entry stands for on average (1: none
    were merged; very large loads are recorded more coarsely to bound the stream). `decode_ns` is
    what decoding took of each, and `wait_ns` how long its bytes waited for that; both empty where
    nothing is decoded.
    """

    reader: Annotated[int, msgspec.Meta(ge=0, lt=MAX_READERS * MAX_RANKS)]
    shard: tuple[Amount, ...]
    offset_bytes: tuple[Amount, ...]
    nbytes: tuple[Amount, ...]
    start_ns: tuple[Integer, ...]
    end_ns: tuple[Integer, ...]
    merged: Number = 1.0
    decode_ns: tuple[Integer, ...] = ()
    wait_ns: tuple[Integer, ...] = ()


class CacheMap(Event, frozen=True, tag="cache-map"):
    """Where in the files, of all shards, the cached pages lay at `t_ns`; looking took `took_ns`.

    `before` is just before `ready`, `after` when the last byte was there. `during` comes at
    most twice a second, and not at all where it would disturb the load.
    """

    moment: CacheMoment
    t_ns: Integer
    took_ns: Integer
    map: ResidencyMap


class BlockTiming(msgspec.Struct, frozen=True, omit_defaults=True):
    """One block: bytes so far, when its last byte came, and its part of the load time.

    `busy_ns` is the sum over its requests of duration times the block's share of the
    request's bytes, divided by the requests in flight: all blocks add up to the time in
    which at least one request was under way. `ready_ns` is None until it is complete.
    `decode_ns` is the part of it in which values were decoded, `wait_ns` that in which bytes that
    had been read waited for a decoder; the rest is reading. None where nothing is decoded.
    `arrivals_ns` are the starts and ends of the stretches in which readers asked for the block
    and nothing else, sorted and apart: the first begins with the first request.
    """

    name: str
    nbytes: Integer
    busy_ns: Integer
    requests: Integer
    ready_ns: Integer | None = None
    arrivals_ns: Annotated[
        tuple[tuple[Integer, Integer], ...], msgspec.Meta(max_length=MOST_ARRIVALS)
    ] = ()
    decode_ns: Integer | None = None
    wait_ns: Integer | None = None

    @property
    def requested_ns(self) -> int | None:
        """When its first byte was asked for; None where that is not recorded."""
        return self.arrivals_ns[0][0] if self.arrivals_ns else None

    @property
    def arriving_ns(self) -> int | None:
        """How long bytes of it arrived, without the waits between; None where not recorded."""
        return sum(end - start for start, end in self.arrivals_ns) if self.arrivals_ns else None


class Blocks(Event, frozen=True, tag="blocks"):
    """Per-block timings so far, blocks in execution order; the last one is final."""

    blocks: tuple[BlockTiming, ...]
