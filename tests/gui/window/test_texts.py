"""Sentences of the slot, the cards, the side panel, the table of runs; and their lines."""

from dataclasses import replace

import msgspec
import pytest
from machine_fakes import NVME, PARTITION, make_diagnosis, make_mount
from msgspec import structs
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from window_fakes import GB, LOAD_A, LOAD_B, make_inspection, make_model

from modelmon.core.machine.block_devices import BlockLayer
from modelmon.core.machine.file_state import FileState
from modelmon.core.machine.file_users import FileUser
from modelmon.core.machine.memory import Memory, Swap, Zswap
from modelmon.core.machine.mounts import TellingOption
from modelmon.core.machine.storage import StorageStack
from modelmon.core.messages import Message
from modelmon.core.worker import events as ev
from modelmon.core.worker.record import RunRecord
from modelmon.core.worker.result import summarise
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
RAID = BlockLayer("md0", "md", "raid0", below=(NVME, BlockLayer("nvme1n1", "disk")))


@pytest.mark.parametrize(
    ("device", "line"),
    [
        (PARTITION, "nvme0n1p2"),
        (LVM, "LVM vg-models on LUKS cryptdata on nvme0n1p2"),
        (RAID, "md0 (raid0) on nvme0n1 + nvme1n1"),
    ],
)
def test_that_the_chain_of_devices_is_one_line(device, line):
    found = make_diagnosis(storage_stack=StorageStack("/x", "/x", (make_mount(device),)))
    assert model_facts.chain_text(found) == line
    assert any("nvme0n1" in row for row in model_facts.chain_lines(found))


def test_that_layers_of_filesystems_and_options_that_matter_are_told():
    option = TellingOption("msize=262144", "the most that one read asks the host for")
    mounts = (
        make_mount(filesystem="overlay", mount_point="/", source="overlay", kind="local-disk"),
        make_mount(filesystem="9p", source="host", kind="network", options=(option,)),
    )
    found = make_diagnosis(storage_stack=StorageStack("/x", "/x", mounts))
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
    assert model_facts.chain_text(bare) == "nvme0n1"
    state = FileState(1, 1, None, 1.0, Message("cachestat"))
    found = make_diagnosis(file=state)
    for loading, text in ((False, "100% now"), (True, "100% before measuring")):
        rows = {
            each.name: each
            for each in model_facts.storage_facts(make_inspection(), found, loading=loading)
        }
        assert rows["Cached"].value == text


def test_that_memory_tells_of_huge_pages_and_compressed_swap():
    swap = Swap(areas=(), zswap=Zswap(enabled=True, compressor="zstd", held_bytes=10**9))
    found = make_diagnosis(swap=swap)
    facts = model_facts.memory_facts(found.memory, None, found)
    assert {fact.name: fact.value for fact in facts}.items() >= {
        ("cgroup", "no limit"),
        ("Huge pages", "madvise of 2 MiB"),
        ("zswap", "holds 1 GB"),
    }
    memory = Memory(64 * GB, 60 * GB, cgroup_limit_bytes=8 * GB)
    rows = {fact.name: fact.value for fact in model_facts.memory_facts(memory, None)}
    assert rows["cgroup"] == "8 GB"
    swap = Swap(areas=(), zswap=Zswap(enabled=True, compressor="zstd"))
    found = make_diagnosis(swap=swap)
    rows = {fact.name: fact.value for fact in model_facts.memory_facts(memory, None, found)}
    assert rows["zswap"] == "on"


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
