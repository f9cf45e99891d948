"""Recordings from strangers: whatever their figures are, no command ends in a traceback."""

import contextlib
import gzip
import json
import os
import subprocess
import sys
import tracemalloc
from tempfile import TemporaryDirectory

import msgspec
import pytest
from hypothesis import given
from tests.fuzz.forged import EACH_EXTREME, as_json, forged, with_each_number
from tests.system.commands import MODELMON

from modelmon.core.cli.main import main
from modelmon.core.cli.output import print_items
from modelmon.core.comparison.runner import analysis_of
from modelmon.core.errors import EXIT_DONE, EXIT_USAGE, ModelmonError
from modelmon.core.export.run_items import run_items
from modelmon.core.history.events import MOST_LINES_BYTES, EventsFolder, PackedLines
from modelmon.core.history.file import HistoryError
from modelmon.core.history.history import History
from modelmon.core.load.config import LoadConfig
from modelmon.core.load.subset import Subset
from modelmon.core.machine.page_cache import FileResidency, ResidencyMap
from modelmon.core.messages import Message
from modelmon.core.worker import events as ev
from modelmon.core.worker.curves import delivered_rate, range_figures
from modelmon.core.worker.events import MOST_ARRIVALS
from modelmon.core.worker.record import Rewind, read_record
from modelmon.core.worker.result import summarise
from modelmon.core.worker.run_warnings import warned

MB = 10**6
DEVICE = ev.DeviceActivity(100.0, 1e8, 1e6, 1e5, 1.0, 0.5, 1.0, 1e6)
STRAIN = ev.MemoryPressure(1, 2, 3, 0.1, 10**9, 10**10, 10**9, 2 * 10**9, 1, 2, 0.1, 3)


def sample(t_ns):
    return ev.Sample(
        t_ns, 1, MB, MB, DEVICE, 0.1, 0.1, MB,
        device_bytes=MB, cpu_user_ns=5, cpu_system_ns=5, decode_ns=5, minor_faults=1,
        major_faults=1, rss_anon_bytes=MB, rss_file_bytes=MB, rss_shared_bytes=MB,
        waiting_share=0.5, queued_ns=5,
    )  # fmt: skip


# Every figure once, so that each can be forged.
STREAM = (
    ev.Hello(
        ev.PROTOCOL,
        ev.Job("/m", LoadConfig(), portion_bytes=2 * MB, subset=Subset(("w*",), (), 1, 2)),
        "0.1.0",
        1.7e9,
        "Linux",
        8,
    ),
    ev.Planned(
        "m", 4 * MB, 2 * MB, 2, 1, ("/m",), (4 * MB,), ("a", "b"), (MB, MB), "sda", "ext4",
        2 * MB, 3 * MB, 10**6, 10**6, "", 2, "local-disk", "mark",
    ),
    ev.CacheMap(
        "before", 0, 5, ResidencyMap(2**20, 4096, (FileResidency(4 * MB, "cachestat", (2,) * 4),))
    ),
    ev.Progress("cache", MB, 4 * MB),
    ev.Ready(0.0, "cachestat", MB, DEVICE, MB, 10, 10),
    ev.Started(4711),
    ev.Waiting(2, Message("Nothing was read so far.")),
    ev.Phase(),
    sample(5 * MB),
    sample(30 * MB),
    ev.Chunks(0, (0, 0), (0, MB), (MB, MB), (5, 30 * MB), (20 * MB, 55 * MB)),
    ev.Blocks((
        ev.BlockTiming("a", MB, 9, 1, 20 * MB, ((5, 20 * MB),)),
        ev.BlockTiming("b", MB, 9, 1, None),
    )),
    warned("other-reader", "Another one reads."),
    ev.Finished(
        wall_ns=60 * MB, warmup_ns=5, memory_kind="owned", cache_state="cold",
        cache_evidence="verified", counts=True, device_bytes=2 * MB, io_wait_share=0.5,
        run_queue_share=0.1, cpu_user_ns=5, cpu_system_ns=5, minor_faults=1, major_faults=1,
        peak_rss_bytes=MB, residency_after_share=0.5, decode_ns=5, decoders=2,
        delivered_bytes=2 * MB, samples=12, supervisor_cpu_ns=5,
        startup_ns=5,
        device=DEVICE, device_read_bytes=MB, memory=STRAIN,
        checksum="0" * 64, checksum_matches=True,
    ),
)  # fmt: skip
LINES = [json.loads(ev.encode(event)) for event in STREAM]


def saved(path, lines):
    path.write_bytes(b"".join(as_json(line) + b"\n" for line in lines))
    return path


def told(path):
    """Whether a recording is a finished run, after all that is shown of one."""
    record = read_record(path)
    delivered_rate(record.chunks, record.t_ns)
    for start_ns, end_ns in ((0, record.t_ns), (10**7, 4 * 10**7)):
        range_figures(record, start_ns, end_ns)
    rewind = Rewind(record)
    for t_ns in (0, 10**7, 10**12, 0):
        rewind.until(t_ns)
    if record.finished is None:
        return False
    print_items(*run_items(analysis_of(record, summarise(record)), whole=True))
    return True


def test_that_the_recording_to_be_forged_is_right(tmp_path):
    assert told(saved(tmp_path / "run.jsonl", LINES))


def test_that_no_block_arrives_in_more_stretches_than_are_told():
    """Each of them is drawn as often as the waterfall is."""
    block = ev.BlockTiming("a", MB, 9, 1, 20 * MB, ((5, 6),) * (MOST_ARRIVALS + 1))
    with pytest.raises(msgspec.ValidationError):
        ev.decode(ev.encode(ev.Blocks((block,))))


@pytest.mark.parametrize("value", EACH_EXTREME)
def test_that_each_figure_of_a_recording_may_be_anything(tmp_path, value):
    for lines in with_each_number(LINES, value):
        with contextlib.suppress(ModelmonError):
            told(saved(tmp_path / "run.jsonl", lines))


@given(lines=forged(LINES))
def test_that_a_forged_recording_is_shown_or_refused(tmp_path, lines):
    with contextlib.suppress(ModelmonError):
        told(saved(tmp_path / "run.jsonl", lines))


@given(lines=forged(LINES))
def test_that_a_forged_recording_is_taken_into_the_history_or_refused(tmp_path, monkeypatch, lines):
    with TemporaryDirectory(dir=tmp_path) as folder:
        monkeypatch.setenv("MODELMON_DATA_DIR", folder)
        if main(["history", "import", str(saved(tmp_path / "run.jsonl", lines))]) == 0:
            for command in ([], ["--csv", f"{folder}/runs.csv"], ["show", "1"], ["compare", "x1"]):
                assert main(["history", *command]) in (EXIT_DONE, EXIT_USAGE)


def limited(*words):
    """A command that has 6 GB of address space."""
    shell = ("sh", "-c", 'ulimit -v 6000000; exec "$@"', "sh")
    command = [*shell, *MODELMON, *map(str, words)]
    return subprocess.run(command, check=False, capture_output=True, text=True)


@pytest.mark.skipif(sys.platform != "linux", reason="limits memory as Linux does")
def test_that_what_is_behind_the_last_line_is_not_taken_into_the_history(tmp_path, monkeypatch):
    monkeypatch.setenv("MODELMON_DATA_DIR", str(tmp_path / "data"))
    path = saved(tmp_path / "run.jsonl", LINES)
    content = path.read_bytes()
    os.truncate(path, 2**33)
    done = limited("history", "import", path)
    assert done.returncode == EXIT_DONE, done.stderr
    assert History().event_lines(1) == content


@pytest.mark.skipif(sys.platform != "linux", reason="limits memory as Linux does")
@pytest.mark.parametrize("words", ["replay", "report", "export", "history import"])
def test_that_no_more_of_a_file_is_read_than_a_recording_or_result_has(tmp_path, words):
    path = tmp_path / "run.jsonl"
    path.touch()
    os.truncate(path, 2**40)
    done = limited(*words.split(), path)
    assert "is not a recording" in done.stderr or "File too large" in done.stderr
    assert done.returncode == EXIT_USAGE


def test_that_millions_of_lines_of_a_history_from_elsewhere_are_not_kept_apart(tmp_path):
    folder = EventsFolder(tmp_path)
    name, _ = folder.save(PackedLines(gzip.compress(b"{\n" * 2**22)))
    tracemalloc.start()
    with pytest.raises(HistoryError):
        folder.record(name)
    _, most_bytes = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most_bytes < 2 * MOST_LINES_BYTES


def test_that_lines_which_unpack_to_any_length_are_cut(tmp_path):
    folder = EventsFolder(tmp_path)
    name, _ = folder.save(PackedLines(gzip.compress(bytes(2**20)) * 100))
    assert len(folder.lines(name)) == MOST_LINES_BYTES
