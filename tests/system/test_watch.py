"""`modelmon watch`: programs that are not ours, as real processes with real files."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from functools import cache

import msgspec
import psutil
import pytest
from tests.core.model.model_files import hub_snapshot
from tests.page_cache import drop, kept
from tests.system.beds import old_kernel
from tests.system.commands import (
    AS_NOBODY,
    LINGERS_S,
    MODELMON,
    SCRIPT,
    assert_that_all_have_ended,
    command,
    starts,
    typed,
)
from tests.system.needs import needs_root, on_linux, rarely
from tests.system.runs import started_as_asked, until
from tests.tracing import instance_names

from modelmon.core.errors import EXIT_CANCELLED, ConfigError
from modelmon.core.explain.program_report import model_text
from modelmon.core.load.config import PROGRAM, LoadConfig
from modelmon.core.load.strategies import strategy
from modelmon.core.machine.file_trace import (
    TraceInstance,
    TracingUnavailableError,
)
from modelmon.core.machine.file_users import users_of
from modelmon.core.machine.page_cache import evict_verified, eviction_obstacle
from modelmon.core.messages import Message
from modelmon.core.model.sample import write_sample
from modelmon.core.units import MIB
from modelmon.core.watch.program import joined_name
from modelmon.core.worker.client import run_job
from modelmon.core.worker.events import Blocks, Job, Sample, Waiting, WatchedProgram
from modelmon.core.worker.record import RunRecord, read_record
from modelmon.core.worker.result import summarise

pytestmark = on_linux

SAME = 0.01
"""Bytes that are seen from outside agree with those that were asked for to this share."""


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """A model on a disk that everybody may read; never changed by a test."""
    path = tmp_path_factory.mktemp("watched") / "big.safetensors"
    written = write_sample(path, "safetensors", 64 * MIB, 4, 0)
    for each in (written, *written.parents[:2]):
        each.chmod(0o755)
    with written.open("rb") as file:
        obstacle = eviction_obstacle(file.fileno())
    if obstacle:
        pytest.skip(obstacle)
    return written


def watched(model, started, ready="", cache="cold", see_by="auto"):
    """The record of a program that was started; again where the cache was not as asked."""
    for _ in range(20):
        record = run_job(job(model, ready, cache, see_by=see_by), command=started)
        if record.finished is None or record.finished.counts:
            break
    return record


def job(model, ready="", cache="cold", pid=None, see_by="auto"):
    return Job(
        str(model),
        LoadConfig(library=PROGRAM),
        cache=cache,
        allow_busy=True,
        program=WatchedProgram("somebody's program", ready, pid, see_by),
    )


def watching():
    """The processes of the worker that watches, the one that this process started first."""
    found = []
    for each in psutil.Process().children(recursive=True):
        with suppress(psutil.Error):  # it has ended meanwhile
            if "modelmon.core.watch" in each.cmdline():
                found.append(each)
    return found


@pytest.fixture
def tracing():
    """Skips where the kernel doesn't trace for us."""
    try:
        TraceInstance(1 << 20).close()
    except TracingUnavailableError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def cold(model, tmp_path_factory):
    """The one record of a program that began cold, by its deed and what it is seen by."""
    notes = tmp_path_factory.mktemp("notes")
    return cache(lambda deed, see_by: watched(model, command(deed, model, notes), see_by=see_by))


@pytest.fixture(scope="module")
def ours(model):
    """The one cold load of ours by its strategy."""
    return cache(
        lambda name: summarise(
            started_as_asked(Job(str(model), strategy(name).config, cache="cold"))
        )
    )


@pytest.mark.parametrize(
    ("deed", "see_by"),
    [
        ("mmap", "residency"),
        ("read", "trace"),
        ("direct", "residency"),
        ("two-processes", "trace"),
        rarely("mmap", "trace"),
        rarely("read", "residency"),
        rarely("direct", "trace"),
        rarely("two-processes", "residency"),
    ],
)
def test_that_a_program_is_seen_to_read_what_a_load_of_ours_reads(
    model, cold, ours, deed, see_by, request
):
    if deed == "direct":
        request.getfixturevalue("needs_direct")
    if see_by == "trace":
        request.getfixturevalue("tracing")
    record = cold(deed, see_by)
    mine = ours({"read": "sequential", "direct": "direct"}.get(deed, "mmap"))
    result = summarise(record)
    assert result.counts, result.why_not
    assert result.cache_state == "cold"
    assert result.load_bytes == pytest.approx(mine.load_bytes, rel=SAME)
    assert 0 <= result.first_byte_ns <= result.last_byte_ns <= result.wall_ns
    whole = [block.ready_ns is not None for block in record.blocks]
    if (deed, see_by) == ("direct", "residency"):
        assert result.seen_by == "counters"
        assert whole == []
    else:
        assert result.seen_by == see_by
        assert whole
        assert all(whole)
        assert sum(record.chunks.nbytes) == pytest.approx(model.stat().st_size, rel=SAME)
        device = [sample.device_bytes for sample in record.samples if sample.device_bytes]
        if mine.device_bytes is not None:
            assert max(device) == pytest.approx(mine.device_bytes, rel=10 * SAME)


@pytest.mark.parametrize("see_by", [rarely("trace"), "residency"])
def test_that_a_block_of_which_a_part_was_cached_before_is_ready_with_the_rest(
    model, notes, see_by, request
):
    if see_by == "trace":
        request.getfixturevalue("tracing")
    with kept(model, (20 * MIB, MIB)):
        drop(model)
        record = watched(model, command("mmap", model, notes), "", "as-is", see_by)
    assert summarise(record).seen_by == see_by
    assert record.blocks
    assert all(block.ready_ns is not None for block in record.blocks)


@pytest.mark.parametrize(
    ("deed", "see_by", "seen_by"),
    [
        ("mmap-and-stay", "residency", "counters"),
        ("read", "trace", "trace"),
        rarely("mmap-and-stay", "trace", "counters"),
        rarely("read", "residency", "counters"),
        rarely("direct", "trace", "trace"),
    ],
)
def test_that_of_a_warm_start_reads_have_places_by_trace_and_mappings_have_none(
    model, notes, deed, see_by, seen_by, request
):
    if deed == "direct":
        request.getfixturevalue("needs_direct")
    if see_by == "trace":
        request.getfixturevalue("tracing")
    record = watched(model, command(deed, model, notes), "", "warm", see_by)
    result = summarise(record)
    assert result.seen_by == seen_by
    assert result.load_bytes == pytest.approx(model.stat().st_size, rel=SAME)
    assert all(block.ready_ns is not None for block in record.blocks)
    assert bool(record.blocks) == (seen_by == "trace")


@pytest.mark.usefixtures("tracing")
def test_that_a_model_that_is_read_twice_is_told(cold):
    twice, once = summarise(cold("read-twice", "trace")), summarise(cold("read", "trace"))
    (told,) = (warning for warning in twice.warnings if warning.kind == "read-again")
    assert told.message.endswith(" of the model more than once: 2.00 times over.")
    assert twice.load_bytes == once.load_bytes
    assert twice.counts
    assert not [told for told in once.warnings if "more than once" in told.message]


@pytest.mark.long
@pytest.mark.usefixtures("tracing")
def test_that_a_supervisor_that_was_killed_leaves_no_tracing_behind(model, notes):
    killed = []

    def kill(event, _):
        if isinstance(event, Sample) and starts(notes) and not killed:
            supervisor = watching()[-1]
            # Other tests' supervisors have instances of their own meanwhile.
            own = f"modelmon-{supervisor.pid}-"
            killed.append({name for name in instance_names() if name.startswith(own)})
            supervisor.kill()

    record = run_job(job(model, "exit", "warm"), kill, command=command("waits", model, notes))
    assert record.finished is None
    assert killed[0]
    assert_that_all_have_ended(notes)
    summarise(watched(model, command("read", model, notes)))
    assert not set(instance_names()) & killed[0]


def test_that_a_program_that_takes_a_part_has_loaded_a_part(model, notes):
    result = summarise(watched(model, command("half", model, notes)))
    assert result.counts, result.why_not
    # Readahead brings a little more than was asked for.
    assert 0.5 <= result.load_bytes / result.model_bytes < 0.8
    assert model_text(result).endswith("; the rest was never read before it was ready")


def test_that_its_recording_and_its_history_are_those_of_any_run_and_people_are_told_its_parts(
    model, notes, tmp_path
):
    saved = tmp_path / "run.jsonl"
    done = typed(
        *("watch", model, "--record", saved, "--cache", "cold", "--seen-by", "residency", "--"),
        *command("mmap", model, notes),
    )
    assert done.returncode == 0, done.stderr
    (row,) = json.loads(typed("history", "--json").stdout)["runs"]
    assert row["wall_ns"] == summarise(read_record(saved)).wall_ns
    assert row["ready"] == "quiet or exit"
    assert f"{SCRIPT} mmap MODEL" in row["strategy"]
    for part in (" of the wait ", "Wait ", "before reading ", " reading ", "after reading "):
        assert part in done.stdout
    assert "pages that came into the page cache" in done.stdout


@pytest.mark.parametrize(
    ("deed", "name", "share", "said"),
    [
        ("computes", "after-reading", "wants", "of the wait comes after reading"),
        rarely("computes-before", "before-reading", "wants", "of the wait comes before reading"),
        ("lingers", "after-reading", "idles", "of the wait comes after reading"),
        ("fills", "after-reading", "fills", "of the wait comes after reading"),
    ],
)
def test_that_the_largest_part_of_the_wait_leads_and_what_it_did_then_is_seen(
    model, notes, deed, name, share, said
):
    asked = ("watch", model, "--cache", "warm", "--ready", "exit", "--json", "--")
    done = typed(*asked, *command(deed, model, notes, LINGERS_S))
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert said in told["wait"]["headline"]
    assert told["wait"]["tone"] != "good"
    assert told["bottleneck"]["kind"] == "outside-reading"
    part = next(part for part in told["result"]["parts"] if part["name"] == name)
    took_ns = part["end_ns"] - part["begin_ns"]
    assert took_ns >= 0.9 * LINGERS_S * 1e9
    # Who has no processor while others work waits for one: both together are what it wants.
    wants = (part["cpu_user_ns"] + part["cpu_system_ns"] + part["queued_ns"]) / took_ns
    assert wants > 0.7 if share == "wants" else wants < 0.9
    grown = part["grown_bytes"] / model.stat().st_size
    assert grown > 0.9 if share == "fills" else grown < 0.5
    (run,) = json.loads(typed("history", "show", "1", "--json").stdout)["runs"]
    assert run["wait"]["headline"] == told["wait"]["headline"]


def test_that_the_model_may_be_left_out_where_the_command_names_it(model, notes):
    done = typed("watch", "--cache", "warm", "--json", "--", *command("read", model, notes))
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["result"]["model_bytes"] < model.stat().st_size


@pytest.mark.parametrize("does", ["pass", rarely("import time; time.sleep(600)")])
def test_that_a_command_that_opens_no_model_is_told(does):
    code = f"print('no weights', flush=True); {does}"
    done = typed("watch", "--limit", "2", "--", sys.executable, "-c", code)
    assert done.returncode == 2
    assert "opened no model. Name it" in " ".join(done.stderr.split())
    assert "Its last output: no weights" in done.stderr


KNOWS_ITS_MODEL = """
import os, sys, time
open(f"{os.environ['NOTES']}/{os.getpid()}.pid", "w").close()
with open(os.environ["WEIGHTS"], "rb") as file:
    file.read()
    print("ready", flush=True)
    time.sleep(600)
"""


def test_that_a_command_that_names_no_model_is_started_to_see_which_it_opens(
    notes, tmp_path, monkeypatch
):
    write_sample(tmp_path / "written", "sharded", 16 * MIB, 2, 0)
    snapshot = hub_snapshot(tmp_path / "hub", tmp_path / "written")
    first, *others = sorted(snapshot.glob("*.safetensors"))
    monkeypatch.setenv("WEIGHTS", str(first))
    monkeypatch.setenv("NOTES", str(notes))
    options = ("--json", "--cache", "warm", "--ready", "output:ready", "--")
    done = typed("watch", *options, sys.executable, "-S", "-c", KNOWS_ITS_MODEL)
    assert done.returncode == 0, done.stderr
    assert f"It opens {snapshot}/" in done.stderr
    result = json.loads(done.stdout)["result"]
    assert result["model_bytes"] > sum(shard.stat().st_size for shard in others)
    assert len([*notes.glob("*.pid")]) == 2
    assert_that_all_have_ended(notes)


@pytest.mark.parametrize(
    ("deed", "ready", "sentences"),
    [
        rarely("nothing", "", ["ended, and never opened big"]),
        (
            "fails",
            "",
            ["exit code 3", "no terminal", "Its last output: loading the model ⏎ out of luck"],
        ),
        ("is-killed", "", ["stopped by signal 9"]),
        rarely("mmap", "listening", ["ended before it was ready"]),
        ("mmap", "output:[0-9] tokens", ["ended before it was ready"]),
    ],
)
def test_that_what_goes_wrong_is_a_sentence(model, notes, deed, ready, sentences):
    signs = ("--ready", ready, "--cache", "warm", "--")
    done = typed("watch", model, *signs, *command(deed, model, notes))
    assert done.returncode == 1
    assert all(sentence in done.stderr for sentence in sentences), done.stderr
    assert_that_all_have_ended(notes)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--", ""), "The command is empty"),
        (("--", "/"), "/ can't be run"),
        (("--pid", "1", "--", "true"), "Give the command of the program after --"),
        (("--pid", "1", "--cache", "cold"), "joined as it is"),
        (("--pid", "1", "--ready", "asked:80"), "joined as it is"),
        (("--pid", str(2**22 + 1)), "There's no process"),
    ],
)
def test_that_what_cannot_be_watched_is_refused(model, arguments, sentence):
    done = typed("watch", model, *arguments)
    assert done.returncode == 2
    assert sentence in done.stderr


def test_that_ctrl_c_says_what_a_program_did_that_read_nothing(model, monkeypatch):
    told = "sleep hasn't opened big yet."

    def interrupted(_, follow, *__, **___):
        follow(Waiting(5, Message("{what}", what=told)), RunRecord())
        raise KeyboardInterrupt

    monkeypatch.setattr("modelmon.core.cli.run.run_job", interrupted)
    done = typed("watch", model, "--cache", "warm", "--json", "--", "sleep", "1000")
    assert done.returncode == EXIT_CANCELLED
    assert json.loads(done.stdout) == {"error": {"message": "Stopped.", "remedy": told}}


def test_that_of_a_model_that_was_never_opened_nothing_is_said_but_that(model, notes):
    asked = ("watch", model, "--cache", "warm", "--ready", "listening", "--limit", "1", "--")
    done = typed(*asked, *command("stays", model, notes))
    assert done.returncode == 1
    assert "never opened big" in done.stdout
    assert not {"Bottleneck", "I/O wait", "Timed"} & {*re.split(r"\s\s+|\n", done.stdout)}
    assert_that_all_have_ended(notes)


@pytest.mark.parametrize("begun_bytes", [rarely(0), 8 * MIB])
def test_that_what_a_program_maps_beside_the_model_is_not_the_models_memory(
    model, notes, begun_bytes
):
    size_bytes = model.stat().st_size

    def let_go(event, _):
        if isinstance(event, Sample) and (event.rss_file_bytes or 0) >= size_bytes:
            (notes / "go").touch()

    started = command("beside-a-library", model, notes, str(begun_bytes))
    record = run_job(job(model, "quiet:1"), let_go, command=started)
    assert summarise(record).memory_kind == "owned"
    assert_that_all_have_ended(notes)


def test_that_a_program_ignores_no_signal_that_it_would_not_ignore_alone(model, tmp_path):
    tells = 'grep -E "^Sig(Blk|Ign)" /proc/self/status >"$1"; exec cat "$0" >/dev/null'
    alone, seen = (["sh", "-c", tells, str(model), str(tmp_path / name)] for name in "ab")
    subprocess.run(alone, check=True)
    assert run_job(job(model, cache="warm"), command=seen).finished
    assert (tmp_path / "b").read_text() == (tmp_path / "a").read_text()


def test_that_a_daemon_is_followed_named_and_ended(model, notes):
    record = watched(model, command("daemon", model, notes))
    result = summarise(record)
    assert [told.kind for told in result.warnings if told.kind == "daemonised"]
    assert result.load_bytes == pytest.approx(model.stat().st_size, rel=SAME)
    assert_that_all_have_ended(notes, least=2)


def test_that_a_line_that_is_not_ended_says_that_it_is_ready(model, notes):
    record = watched(model, command("announces", model, notes), "output:^server is ready$")
    assert summarise(record).ready == "output:^server is ready$"
    assert_that_all_have_ended(notes)


@pytest.mark.parametrize("sign", [rarely("listening"), rarely("listening:{}"), "http:{}/health"])
def test_that_a_server_is_ready_when_it_answers(model, notes, sign):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    record = watched(model, command("serves", model, notes, port), sign.format(port))
    assert summarise(record).load_bytes == pytest.approx(model.stat().st_size, rel=SAME)
    assert_that_all_have_ended(notes)


def test_that_a_running_program_is_joined_and_goes_on(model, notes):
    with model.open("rb") as file:
        assert not evict_verified([(file.fileno(), [(0, model.stat().st_size)])])

    def let_go(event, _):
        if isinstance(event, Sample):
            (notes / "go").touch()

    with subprocess.Popen(command("waits", model, notes)) as program:
        record = run_job(job(model, cache="as-is", pid=program.pid), let_go)
        assert program.wait() == 0
    result = summarise(record)
    assert result.load_bytes == pytest.approx(model.stat().st_size, rel=SAME)


def test_that_a_joined_program_that_ends_in_the_middle_has_not_loaded(model, notes):
    """A crash, as far as anybody sees: its exit code is its parent's."""
    drop(model)

    def let_go(event, _):
        if isinstance(event, Sample):
            (notes / "go").touch()

    with subprocess.Popen(command("waits-for-half", model, notes)) as program:
        record = run_job(job(model, cache="as-is", pid=program.pid), let_go)
    assert "ended before it was ready" in record.failed.message


@pytest.mark.parametrize(
    ("deed", "sentence"),
    [
        ("opens-and-stays", "had loaded big before it was watched"),
        rarely("stays", "reads nothing of big, which is in memory already"),
    ],
)
def test_that_what_a_joined_program_has_not_read_is_not_said_to_be_loaded_by_it(
    model, notes, deed, sentence
):
    with kept(model), subprocess.Popen(command(deed, model, notes)) as program:
        until((notes / "opened").exists)
        record = run_job(job(model, "quiet:0.2", cache="as-is", pid=program.pid))
        program.kill()
    assert sentence in record.failed.message


@pytest.mark.long
def test_that_a_joined_program_that_had_the_model_open_is_not_said_never_to_have_opened_it(
    model, notes
):
    drop(model)
    with subprocess.Popen(command("opens-and-stays", model, notes)) as program:
        until((notes / "opened").exists)
        asked = job(model, "listening", cache="as-is", pid=program.pid)
        record = run_job(msgspec.structs.replace(asked, most_load_ns=10**9))
        program.kill()
    (late,) = (warning for warning in record.warnings if warning.kind == "cut-off")
    assert late.message.endswith(", and read nothing of big.")
    assert late.remedy.startswith("Let Watch start it: modelmon watch")


def test_that_a_process_that_has_ended_is_not_joined():
    with subprocess.Popen(["true"]) as program:
        os.waitid(os.P_PID, program.pid, os.WEXITED | os.WNOWAIT)
        with pytest.raises(ConfigError, match=f"There's no process {program.pid}"):
            joined_name(program.pid)


def test_that_a_number_that_went_to_another_process_is_not_joined(model, notes):
    with subprocess.Popen(command("opens-and-stays", model, notes)) as program:
        until((notes / "opened").exists)
        (user,) = (each for each in users_of([model]) if each.pid == program.pid)
        asked = job(model, cache="as-is", pid=program.pid)
        assert asked.program is not None
        earlier = msgspec.structs.replace(asked.program, began_ticks=user.began_ticks - 1)
        record = run_job(msgspec.structs.replace(asked, program=earlier))
        assert joined_name(program.pid, user.began_ticks) == joined_name(program.pid)
        program.kill()
    assert record.failed.message == (
        f"Process {program.pid} has ended, or its number is another program's now."
    )


@pytest.mark.parametrize("end", [signal.SIGINT, rarely(signal.SIGKILL)])
def test_that_nothing_is_left_of_it_when_watching_is_ended(model, notes, end):
    """By Ctrl-C, or the terminal's end: also of a program that does not want to end."""
    arguments = [*MODELMON, "watch", str(model), "--cache", "warm", "--ready", "exit", "--"]
    with subprocess.Popen(
        [*arguments, *command("hangs", model, notes)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as watching:
        until(lambda: (notes / "loaded").exists() or watching.poll() is not None)
        watching.send_signal(end)
        output, errors = watching.communicate()
    assert watching.returncode == (130 if end == signal.SIGINT else -end), errors
    assert output == b""
    assert_that_all_have_ended(notes, least=2)


@pytest.mark.parametrize("which", [0, rarely(-1)])
def test_that_nothing_is_left_of_it_when_a_process_that_watches_is_killed(model, notes, which):
    """Also of what went on in the background, and has nobody any more whose end it would share."""
    killed = []

    def kill(event, _):
        if isinstance(event, Sample) and (notes / "loaded").exists() and not killed:
            killed.append(watching()[which])
            killed[0].kill()

    started = command("daemon", model, notes)
    record = run_job(job(model, "output:^never said$", "warm"), kill, command=started)
    assert record.finished is None
    assert_that_all_have_ended(notes, least=2)


def test_that_a_recorded_command_starts_nothing(model, tmp_path):
    proof = tmp_path / "proof"
    recorded = WatchedProgram(f"touch {proof}")
    record = run_job(Job(str(model), LoadConfig(library=PROGRAM), program=recorded))
    assert "isn't run" in record.failed.message
    record = run_job(Job(str(model), LoadConfig(library=PROGRAM)))
    assert "modelmon watch" in record.failed.message
    assert not proof.exists()


@pytest.mark.long
def test_that_blocks_take_no_more_than_the_time_that_has_passed(model, notes):
    """Also while it is watched: what a look finds came in one stretch of time, not in many."""
    told = []

    def look(event, record):
        if isinstance(event, Blocks) and record.samples:
            told.append((sum(block.busy_ns for block in event.blocks), record.t_ns))
            (notes / "never").touch()  # it has told enough

    record = run_job(job(model, "exit"), look, command=command("hangs", model, notes))
    assert record.finished is not None
    assert told
    assert all(busy_ns <= passed_ns for busy_ns, passed_ns in told)


def asked_by(*arguments, before=(), **options):
    """`modelmon watch` in a process of its own, which nothing is kept of, started by `before`."""
    return subprocess.run(
        [*map(str, (*before, *MODELMON, "watch", "--no-history", *arguments))],
        **{"stdin": subprocess.DEVNULL, "capture_output": True, "text": True} | options,
        check=False,
    )


@needs_root
@pytest.mark.parametrize("named", [True, pytest.param(False, marks=pytest.mark.long)])
def test_that_a_process_of_another_user_is_refused_to_who_may_not_see_it(model, notes, named):
    with subprocess.Popen(command("opens-and-stays", model, notes)) as program:
        until((notes / "opened").exists)
        which = [model] if named else []
        done = asked_by(*which, "--pid", program.pid, before=AS_NOBODY, cwd=model.parent)
        goes_on = program.poll() is None
        program.kill()
    assert done.returncode == 2
    assert (
        f"(process {program.pid}) belongs to root, and what it reads can't be seen" in done.stderr
    )
    assert "as that user or as root" in done.stderr
    assert goes_on


@needs_root
def test_that_users_without_rights_watch_what_is_theirs(model):
    # The interpreter of these tests may lie where others start nothing.
    reads = ("dd", f"if={model}", "of=/dev/null", "bs=1M")
    done = asked_by(model, "--cache", "as-is", "--json", "--", *reads, before=AS_NOBODY)
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)["result"]
    assert result["load_bytes"] == result["model_bytes"]
    assert result["seen_by"] != "trace"


@pytest.mark.parametrize(
    "deed", ["mmap", *(pytest.param(deed, marks=pytest.mark.long) for deed in ("read", "direct"))]
)
def test_that_where_the_kernel_tells_nothing_of_the_cache_counters_tell(model, notes, deed):
    kernel = (sys.executable, old_kernel.__file__)
    options = ("--seen-by", "residency", "--cache", "cold", "--yes", "--")
    done = asked_by(model, *options, *command(deed, model, notes), before=kernel)
    assert done.returncode == 0, done.stderr
    told = " ".join(done.stdout.split())
    assert "the program's counters: a total, without blocks" in told
    assert_that_all_have_ended(notes)


@pytest.mark.parametrize(
    "code", ["open('/dev/tty')", pytest.param("input()", marks=pytest.mark.long)]
)
def test_that_a_program_that_needs_a_terminal_is_told_that_it_has_none(model, code):
    done = typed("watch", model, "--cache", "warm", "--yes", "--", sys.executable, "-c", code)
    assert done.returncode == 1
    assert "ended with exit code 1" in done.stderr
    assert "Here it gets no terminal and no input" in done.stderr
