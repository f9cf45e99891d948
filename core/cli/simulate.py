"""`modelmon simulate`: a file behind storage of known cost, which counts what is asked of it."""

from __future__ import annotations

import os
import select
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import click
from msgspec.structs import asdict, replace

from modelmon.core.cli import argument, declared, option, options
from modelmon.core.cli.output import console, print_items, print_json, tell
from modelmon.core.errors import ConfigError, ModelFileError
from modelmon.core.export.items import Code
from modelmon.core.messages import Message
from modelmon.core.simulate.cost import COSTS, Counts, Kind, fault_of
from modelmon.core.simulate.mounts import check_possible
from modelmon.core.simulate.store import served
from modelmon.core.units import (
    counted,
    duration_text,
    parse_duration,
    parse_size,
    rate_text,
    size_text,
)

if TYPE_CHECKING:
    from modelmon.core.simulate.cost import Cost, Fault
    from modelmon.core.simulate.store import Store

_duration_s = options.Parsed("time", parse_duration)


def _parse_rate(text: str) -> int:
    bytes_per_s = parse_size(text.removesuffix("/s"))
    if not bytes_per_s:
        raise ValueError("Nothing can be read at 0 bytes per second.")
    return bytes_per_s


_bytes_per_s = options.Parsed("rate", _parse_rate)
_fault = options.Parsed("fault", fault_of)
_QUIET_S = 1.0
"""Reads after so long a pause are another load's."""


@click.command("simulate")
@declared
def command(
    kind: Kind = argument(type=click.Choice(get_args(Kind))),
    file: Path = argument(type=options.source_path),
    mount_point: Path = argument(type=click.Path(path_type=Path), metavar="MOUNTPOINT"),
    latency_s: float | None = option(
        "--latency", type=_duration_s, help="Wait before each request: 2ms."
    ),
    bytes_per_s: int | None = option(
        "--bandwidth", type=_bytes_per_s, help="Shared by all readers: 150MB/s."
    ),
    seek_s: float | None = option(
        "--seek", type=_duration_s, help="Of hdd: wait where the head moves, as 10ms."
    ),
    first_byte_s: float | None = option(
        "--first-byte", type=_duration_s, help="Of object-store: wait for each GET, as 50ms."
    ),
    readahead_bytes: int | None = option(
        "--readahead", type=options.size_type, help="How far the kernel reads ahead: 128KiB."
    ),
    faults: tuple[Fault, ...] = option(
        "--fault", type=_fault, metavar="FAULT", help="Let reads fail; see above."
    ),
    as_json: bool = options.as_json_lines,
) -> None:
    """Serve FILE as from slow storage.

    FILE appears below MOUNTPOINT, read-only and for the same user only, until Ctrl-C; each load is
    counted. FAULT is eio=OFFSET (an I/O error), stall=OFFSET (no answer from there on),
    truncate=OFFSET (the file ends there), short (half of each read) or none; type it to change it
    while it runs. Results are marked as simulated.
    """
    if (seek_s is not None and kind != "hdd") or (
        first_byte_s is not None and kind != "object-store"
    ):
        raise click.UsageError("--seek is for hdd, --first-byte for object-store.")
    check_possible()
    # Path.is_file and Path.exists raise where one may not look.
    if not os.path.isfile(file) or not os.access(file, os.R_OK):  # noqa: PTH113
        raise ModelFileError(Message("{file} isn't a file that can be read.", file=file))
    try:
        is_free = not os.path.lexists(mount_point) or not any(mount_point.iterdir())
    except OSError:
        is_free = False
    if not is_free:
        raise ConfigError(
            Message("{place} isn't an empty folder.", place=mount_point),
            Message("Choose a folder that is empty or doesn't exist."),
        )
    jump_s = first_byte_s if seek_s is None else seek_s
    given = {
        "request_s": latency_s,
        "bytes_per_s": bytes_per_s,
        "first_byte_s": jump_s,
        "readahead_bytes": readahead_bytes,
    }
    cost = replace(COSTS[kind], **{name: each for name, each in given.items() if each is not None})
    with (
        suppress(KeyboardInterrupt),  # the way to end it
        served(file.absolute(), mount_point.absolute(), cost) as store,
    ):
        for fault in faults:
            store.fail(fault)
        if as_json:
            print_json({"path": str(store.path), "cost": cost})
        else:
            tell(f"Simulated {kind}: {cost_text(cost)}. Ctrl-C unmounts it.")
            print_items(Code(str(store.path)))
        _watch(store, as_json=as_json)
    tell("Unmounted.")


def cost_text(cost: Cost) -> str:
    """`150 MB/s, 10 ms per seek`."""
    parts = [rate_text(cost.bytes_per_s)]
    if cost.first_byte_s:
        what = "seek" if cost.per == "device" else "GET"
        parts.append(f"{duration_text(cost.first_byte_s * 1e9)} per {what}")
    if cost.request_s:
        parts.append(f"{duration_text(cost.request_s * 1e9)} per request")
    return ", ".join(parts)


def _watch(store: Store, *, as_json: bool) -> None:
    """Print what each load asked for, and take faults that are typed; until Ctrl-C."""
    load, listens = Counts(), True
    while True:
        if _has_input(listens):
            listens, counts = _heard(store)
        else:
            counts = store.counts()
        if counts.requests or counts.handles:
            load += counts
        elif load.requests:
            if as_json:
                print_json({"load": asdict(load)})
            else:
                console().print(counts_text(load))
            load = Counts()


def _has_input(listens: bool) -> bool:
    """Wait for input, for as long as a pause takes. In the background of a shell there is none."""
    stdin = sys.stdin.fileno()
    if os.isatty(stdin) and os.tcgetpgrp(stdin) != os.getpgrp():
        listens = False
    ready, _, _ = select.select([stdin] if listens else [], [], [], _QUIET_S)
    return bool(ready)


def _heard(store: Store) -> tuple[bool, Counts]:
    """Set the faults that were typed; whether there can be more input, and the counters."""
    text, counts = os.read(sys.stdin.fileno(), 4096).decode(errors="replace"), Counts()
    for line in text.split():
        try:
            fault = fault_of(line)
        except ConfigError as error:
            tell(error.text)
            continue
        counts += store.fail(fault)
        tell(f"Fault: {line}")
    return bool(text), counts


def counts_text(counts: Counts) -> str:
    """`262 requests for 67.1 MB: 260 jumps, 4 opens, 8.31 s`."""
    taken = duration_text((counts.last_s - counts.first_s) * 1e9)
    return (
        f"{counted(counts.requests, 'request')} for {size_text(counts.bytes)}:"
        f" {counted(counts.seeks, 'jump')}, {counted(counts.handles, 'open')}, {taken}"
    )
