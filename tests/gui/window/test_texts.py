"""Sentences of the slot, the cards, the side panel, the table of runs; and their lines."""

import time
from dataclasses import replace

import msgspec
import pytest
from machine_fakes import PARTITION, make_diagnosis, make_mount
from msgspec import structs
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from window_fakes import GB, LOAD_A, LOAD_B, make_inspection, make_model

from modelmon.core.load.config import LoadConfig
from modelmon.core.machine.block_devices import BlockLayer
from modelmon.core.machine.file_state import FileState
from modelmon.core.machine.file_users import FileUser
from modelmon.core.machine.memory import Memory
from modelmon.core.machine.mounts import TellingOption
from modelmon.core.machine.storage import Storage, StorageStack
from modelmon.core.messages import Message
from modelmon.core.probe.probe import Limits
from modelmon.core.worker import events as ev
from modelmon.core.worker.record import RunRecord
from modelmon.core.worker.result import summarise
from modelmon.gui.background.worker_process import Recording
from modelmon.gui.compare import narration
from modelmon.gui.compare.outcome import card_view
from modelmon.gui.model import model_facts
from modelmon.gui.open.start_page import date_text
from modelmon.gui.runs.run_lines import TITLES, LineFilter, line_of_run
from modelmon.gui.runs.runs_tree import RunsModel
from modelmon.gui.session import run_words
from modelmon.gui.session.notices import ProgressView
from modelmon.gui.session.run_words import when_text
from modelmon.gui.session.session import Activity, Run
from modelmon.gui.session.settings import Recent
from modelmon.gui.widgets.styling import in_lines
from modelmon.gui.widgets.theme import font


def test_that_parts_share_a_unit_and_days_are_named():
    assert run_words.part_text(9_960_000_000, 16_100_000_000) == "9.96 of 16.1 GB"
    assert run_words.part_text(996_000_000, 16_100_000_000) == "996 MB of 16.1 GB"
    assert run_words.part_text(0, 16_100_000_000) == "0 of 16.1 GB"
    now = 1_790_000_000.0
    assert when_text(now, now).startswith("today")
    assert when_text(now - 86_400, now).startswith("yesterday")
    assert when_text(now - 400 * 86_400, now).endswith("2025")


def test_that_what_speaks_against_a_run_is_said_once():
    assert run_words.start_fact(LOAD_A.record(), "cold").startswith("Cold start: 0%")
    spoilt = replace(LOAD_A, cached_share=0.34).record()
    assert run_words.start_fact(spoilt, "cold") == "Not cold: 34% of the file was cached"
    assert run_words.start_fact(spoilt, "warm").startswith("Not warm")
    unknown = replace(LOAD_A, cached_share=None).record()
    assert "unreadable" in run_words.start_fact(unknown, "cold")
    whole = summarise(LOAD_A.record())
    for why, once in (
        ("Not counted: the machine slept.", ". Not counted: the machine slept."),
        ("It started warm.", "; not counted: It started warm."),
    ):
        left_out = structs.replace(whole, counts=False, why_not=Message(why))
        assert run_words.with_why_not("Run 1", left_out).endswith(once)


def test_that_the_hint_refuses_equal_arms_and_models_that_do_not_fit():
    inspection = make_inspection()
    names = {"A": "mmap", "B": "parallel"}
    assert (
        "Compare mmap (A) with parallel (B)"
        in narration.hint(inspection, names, "", "cold", 5).headline
    )
    same = "A and B are the same."
    assert narration.hint(inspection, names, same, "cold", 5).headline == same
    small = make_inspection(available_bytes=10**9)
    refused = narration.hint(small, names, "", "cold", 5)
    assert refused.tone == "warn"
    assert "2 GB" in refused.headline
    assert "1 GB" in refused.headline
    there = structs.replace(small, storage=structs.replace(small.storage, kind="memory"))
    assert narration.hint(there, names, "", "cold", 5).tone != "warn"


def test_that_a_finished_card_shows_medians_and_how_many_runs_count(session):
    loads = [replace(LOAD_A, wall_s=wall_s) for wall_s in (2.0, 2.2, 9.0)]
    loads.append(replace(LOAD_A, wall_s=0.1, cached_share=0.9, counts=False))
    session.set_results("A", tuple(summarise(load.record()) for load in loads))
    view = card_view(session, "A")
    assert view.result == "2.20 s"
    assert view.metrics[-1].value == "3 of 4"
    assert view.metrics[-1].name == "cold runs"
    assert view.sentence.startswith("Waits for the disk 60% of the time")
    assert view.about.startswith("Storage\n")
    assert "I/O wait: 60%" in view.about
    assert "Memory-mapped (reclaimable)" in view.about


def test_that_a_loading_card_shows_figures_of_now_or_a_dash(session):
    session.loading = "A"
    session.begin(Activity.COMPARING, lambda: ProgressView("At work"))
    session.loading_record = replace(LOAD_A, until_s=1.0).record()
    view = card_view(session, "A")
    assert view.sentence == "Loading 50%"
    assert view.result == "1.00 s"
    assert [metric.value for metric in view.metrics[:3]] == ["1 GB/s", "1.01 GB", "60%"]
    assert card_view(session, "B").sentence == "Waiting"
    session.loading = "A"
    session.begin(Activity.RUNNING, lambda: ProgressView("At work"))
    record = replace(LOAD_A, until_s=0.0).record()
    record.samples.clear()
    record.feed(ev.Sample(10**9, 0, 10**9))
    session.loading_record = record
    assert card_view(session, "A").metrics[1].value == "–"
    # Some systems count a process's memory without its kinds.
    record.feed(ev.Sample(2 * 10**9, 0, 10**9, rss_anon_bytes=3 * 10**9))
    assert card_view(session, "A").metrics[1].value == "3 GB"


@pytest.mark.parametrize(
    ("available", "tone", "word"),
    [(56, "good", "fits"), (2.5, "warn", "tight"), (1, "bad", "fit")],
)
def test_that_memory_says_whether_the_model_fits(available, tone, word):
    memory = Memory(64 * GB, int(available * GB))
    fit = model_facts.memory_facts(memory, make_model())[1]
    assert fit.tone == tone
    assert word in fit.value


def test_that_recent_models_give_the_date_of_their_result_and_not_of_a_look_at_it():
    now = 1_790_000_000.0
    recent = Recent("/m", "m", "gguf", 1, 1, opened_unix_s=now)
    assert date_text(recent, now).startswith("opened today")
    then_s = now - 86_400
    found = msgspec.structs.replace(recent, outcome=Message("mmap fastest"), measured_unix_s=then_s)
    assert date_text(found, now).startswith("measured yesterday")


LUKS = BlockLayer("dm-0", "luks", "cryptdata", below=(PARTITION,))
LVM = BlockLayer("dm-1", "lvm", "vg-models", below=(LUKS,))


def test_that_the_chain_of_devices_is_told_of_the_disk():
    found = make_diagnosis(storage_stack=StorageStack("/x", "/x", (make_mount(LVM),)))
    disk = model_facts.storage_facts(make_inspection(), found)[0]
    assert disk.value == "nvme0n1, NVMe SSD"
    assert "dm-1: LVM volume vg-models" in disk.tool_tip
    assert "dm-0: LUKS, decrypted by the CPU cryptdata" in disk.tool_tip


def test_that_layers_of_filesystems_and_options_that_matter_are_told():
    option = TellingOption("msize=262144", "the most that one read asks the host for")
    mounts = (
        make_mount(filesystem="overlay", mount_point="/", source="overlay", kind="local-disk"),
        make_mount(filesystem="9p", source="host", kind="network", options=(option,)),
    )
    seen = Storage("/x", "/data", "9p", "host", "network")
    found = make_diagnosis(storage=seen, storage_stack=StorageStack("/x", "/x", mounts))
    rows = {fact.name: fact for fact in model_facts.storage_facts(make_inspection(), found)}
    assert rows["Mount"].value == "overlay over 9p on /data"
    assert rows["Disk"].value.startswith("host, ")
    assert rows["Options"].value == "msize=262144"
    assert "asks the host" in rows["Options"].tool_tip


def test_that_what_cannot_be_known_is_not_called_zero():
    state = FileState(
        1, 1, None, None, "unknown: another owner's file", opening_may_drop_cache=True
    )
    found = make_diagnosis(file=structs.replace(state, users=(FileUser(4711, "python", "mapped"),)))
    rows = {fact.name: fact for fact in model_facts.storage_facts(make_inspection(), found)}
    assert rows["Cached"].value == "unknown"
    assert rows["Cached"].tool_tip == "another owner's file"
    assert "python (4711, mapped)" in rows["In use by"].value
    bare = make_diagnosis(file=None, storage_stack=StorageStack("/x", "/x"), cgroup_version=None)
    assert "Cached" not in {
        fact.name for fact in model_facts.storage_facts(make_inspection(), bare)
    }
    state = FileState(1, 1, None, 1.0, Message("cachestat"))
    found = make_diagnosis(file=state)
    for loading, text in ((False, "100% now"), (True, "100% before measuring")):
        rows = {
            each.name: each
            for each in model_facts.storage_facts(make_inspection(), found, loading=loading)
        }
        assert rows["Cached"].value == text


def test_that_memory_tells_of_huge_pages_and_the_limit():
    found = make_diagnosis()
    facts = model_facts.memory_facts(found.memory, None, found)
    assert {fact.name: fact.value for fact in facts}.items() >= {
        ("cgroup", "no limit"),
        ("Huge pages", "madvise"),
    }
    memory = Memory(64 * GB, 60 * GB, cgroup_limit_bytes=8 * GB)
    rows = {fact.name: fact.value for fact in model_facts.memory_facts(memory, None)}
    assert rows["cgroup"] == "8 GB"


HEADLINE = "Undecided: A 2.54 s, B 2.38 s, but the runs scatter (A's time ÷ B's, 98%: 0.53-1.93)."


def test_that_words_stay_whole_and_chinese_is_broken_anywhere(qapp):
    del qapp
    lines = in_lines(HEADLINE, font(12), 200, 9).split("\n")
    assert " ".join(lines) == HEADLINE
    chinese = "它占用系统无法回收的内存。" * 4
    broken = in_lines(chinese, font(12), 120, 20)
    assert broken.count("\n") > 1
    assert broken.replace("\n", "") == chinese
    assert in_lines(HEADLINE, font(12), 200, 2).endswith("…")


FATAL = QAbstractItemModelTester.FailureReportingMode.Fatal
UP, DOWN = Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder


def lines():
    slow = replace(LOAD_B, wall_s=10.0)
    records = (LOAD_A.record(), slow.record())
    runs = [Run(at, "A", each, None, summarise(each)) for at, each in enumerate(records, 1)]
    failed = replace(LOAD_A, until_s=1.0, failure=ev.Failed("io", "The disk is gone.")).record()
    return [line_of_run(run) for run in (*runs, Run(3, "A", failed, None, None))]


def column(model, title):
    at = TITLES.index(title)
    return [model.index(row, at).data() for row in range(model.rowCount())]


def test_that_rows_have_units_and_sort_by_figure_with_the_unknown_last(qapp):
    model = RunsModel(qapp)
    QAbstractItemModelTester(model, FATAL, qapp)
    model.set_lines(lines())
    model.sort(TITLES.index("Time"), UP)
    assert column(model, "Time") == ["2.00 s", "10.0 s", "–"]
    model.sort(TITLES.index("Time"), DOWN)
    assert column(model, "Time") == ["10.0 s", "2.00 s", "–"]
    assert column(model, "Status")[-1] == "Failed: The disk is gone."


def test_that_every_word_of_the_filter_has_to_be_found(qapp):
    model = RunsModel(qapp)
    model.set_lines(lines())
    model.set_filter(LineFilter(text="LLAMA parallel"))
    assert column(model, "Strategy") == ["parallel"]
    model.set_filter(LineFilter(strategy="mmap", start="Cold"))
    assert column(model, "Time") == ["2.00 s"]
    model = RunsModel(qapp)
    record = replace(LOAD_A, config=replace(LOAD_A.config, deliver="decoded")).record()
    model.set_lines([*lines(), line_of_run(Run(4, "A", record, None, summarise(record)))])
    model.set_filter(LineFilter(text="decod"))
    assert column(model, "Strategy") == ["mmap (decoded)"]


def test_that_a_run_that_never_began_stands_last_and_has_no_star(qapp):
    dead = Run(4, "A", RunRecord(), None, None)
    model = RunsModel(qapp)
    model.set_lines([line_of_run(dead), *lines()])
    for order in (UP, DOWN):
        model.sort(TITLES.index("When"), order)
        assert column(model, "When")[-1] == "–"
    assert set(column(model, "★")) == {""}


def test_that_the_time_of_a_part_says_of_how_much(session):
    whole = summarise(LOAD_A.record())
    quarter = whole.model_bytes // 4
    part = msgspec.structs.replace(whole, load_bytes=quarter, file_bytes=quarter, portion=True)
    session.set_results("A", (whole,))
    assert "of the model" not in [metric.name for metric in card_view(session, "A").metrics]
    session.set_results("A", (part,))
    first = card_view(session, "A").metrics[0]
    assert (first.value, first.name) == ("25%", "of the model")
    unclear = msgspec.structs.replace(
        summarise(LOAD_A.record()), io_wait_share=None, cpu_user_ns=None, device=None
    )
    session.set_results("A", (unclear,))
    view = card_view(session, "A")
    assert (view.sentence, view.tone) == ("Took 2.00 s; the figures don't show why", "plain")
    assert "nothing about which is faster" in view.about


def test_that_a_disk_that_was_measured_tells_what_held_a_run_back(session):
    result = msgspec.structs.replace(
        summarise(LOAD_A.record()),
        io_wait_share=0.9,
        device_bytes=LOAD_A.nbytes,
    )
    session.set_results("A", (result,))
    assert not card_view(session, "A").about.startswith("Storage bandwidth")
    session.limits = Limits(device_bytes_per_s=result.bytes_per_s * 1.05)
    view = card_view(session, "A")
    assert view.about.startswith("Storage bandwidth")
    assert view.sentence.startswith("Is limited by the disk's bandwidth")
    assert view.tone == "plain"


def test_that_a_cached_load_can_gain_what_an_earlier_one_has_gained(session):
    """One of this window, though the cards show others by now."""
    session.set_inspection(make_inspection())
    warm = {"cache_state": "warm", "device_bytes": 0}
    slow = msgspec.structs.replace(summarise(LOAD_A.record()), wall_ns=200_000_000, **warm)
    fast = msgspec.structs.replace(slow, wall_ns=slow.wall_ns // 3)
    session.set_results("A", (slow,))
    assert "seen here: 10 GB/s" in card_view(session, "A").about
    session.add_run("A", LOAD_A.record(), None, fast)
    # A recording may be of another machine.
    assert "seen here: 10 GB/s" in card_view(session, "A").about
    session.add_run("A", LOAD_A.record(), Recording(), fast)
    assert "seen here: 30.0 GB/s" in card_view(session, "A").about


def test_that_the_time_of_a_load_tells_its_phases_and_runs_on(session, monkeypatch):
    decoded = msgspec.structs.replace(
        summarise(LOAD_A.record()),
        config=LoadConfig(access="read", deliver="decoded", readers=2),
        wall_ns=2_000_000_000,
        warmup_ns=500_000_000,
        decode_ns=2_400_000_000,
        **dict.fromkeys(("open_ns", "plan_ns", "cache_ns", "conditioning_ns"), 0),
        startup_ns=80_000_000,
    )
    slower = msgspec.structs.replace(decoded, wall_ns=9_000_000_000, startup_ns=90_000_000)
    session.set_results("A", (slower, decoded, decoded))
    assert card_view(session, "A").result_tip.splitlines()[1:] == [
        "Setup (not timed): start-up 80.0 ms",
        "Timed: warm-up 500 ms, read 1.50 s, decode 1.20 s in parallel",
    ]
    record = replace(LOAD_A, until_s=1.0).record()
    record.heard_ns = 5_000_000_000
    monkeypatch.setattr(time, "monotonic_ns", lambda: record.heard_ns + 24_000_000_000)
    session.begin(Activity.RUNNING, lambda: ProgressView("At work"))
    session.loading, session.loading_record = "A", record
    view = card_view(session, "A")
    # A gigabyte came in the first second, and nothing since.
    assert (view.result, view.metrics[0].value) == ("25.0 s", "40 MB/s")


def test_that_a_failure_is_told_until_another_run_is_shown(session):
    failed = replace(LOAD_A, until_s=1.0, failure=ev.Failed("io", "The disk is gone.")).record()
    session.add_run("A", failed, None, None)
    assert card_view(session, "A").sentence == "The disk is gone."
    earlier = LOAD_A.record()
    session.set_results("A", (summarise(earlier),))
    assert card_view(session, "A").result == "2.00 s"
    session.set_results("A", (), failed.failed)
    assert card_view(session, "A").sentence == "The disk is gone."


def test_that_the_run_before_is_not_taken_for_the_one_being_prepared(session):
    earlier = LOAD_A.record()
    session.show_record("A", earlier)
    # The first took four times as long.
    slower = summarise(replace(LOAD_A, wall_s=8.0).record())
    session.set_results("A", (slower, summarise(earlier)))
    session.begin(Activity.COMPARING, lambda: ProgressView("At work"))
    session.loading, session.loading_record = "A", RunRecord()
    view = card_view(session, "A")
    # What the plots show stays in sight between the turns, and is not taken for a load.
    assert (view.result, view.sentence) == ("2.00 s", "Preparing")
    assert view.metrics[-1].value.startswith("2 of")
    assert view.metrics[-1].name == "runs so far"
    session.end()
    assert card_view(session, "A").result == "5.00 s"
    session.begin(Activity.RUNNING, lambda: ProgressView("At work"))
    session.loading, session.loading_record = "A", RunRecord()
    view = card_view(session, "A")
    assert (view.result, view.sentence) == ("", "Starting a new process")


def test_that_figures_beside_plots_of_another_run_stand_back(session):
    own, other = LOAD_A.record(), LOAD_A.record()
    session.set_results("A", (summarise(own),))
    session.show_record("A", own)
    sentence = card_view(session, "A").sentence
    session.look_at("A", other)
    view = card_view(session, "A")
    assert view.stale
    assert "plots show a recorded run" in view.sentence
    session.look_away()
    view = card_view(session, "A")
    assert not view.stale
    assert view.sentence == sentence
    session.set_axis("A", "order", "random")
    view = card_view(session, "A")
    assert view.stale
    assert "earlier settings" in view.sentence
