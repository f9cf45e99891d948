"""Results and tables as Markdown, and plots as pictures, on the clipboard."""

import json
import re
from html import unescape

import msgspec
import pytest
from cluster_fakes import result_of, told
from legibility import settled
from PySide6.QtGui import QGuiApplication
from tests.core.find_best.racing import Racetrack, conditions
from window_fakes import LOAD_A, make_comparison, opened
from window_states import States

from modelmon.core.comparison.runner import analyze
from modelmon.core.doctor.inspection import inspect_model
from modelmon.core.export.items import Code, Paragraph, Table
from modelmon.core.export.result_items import result_items
from modelmon.core.load.config import PROGRAM, LoadConfig
from modelmon.core.messages import Message
from modelmon.core.worker.events import WatchedProgram
from modelmon.core.worker.record import record_of
from modelmon.gui import language
from modelmon.gui.compare.verdict_details import VerdictDetails, markdown_text
from modelmon.gui.export.share import Sharing
from modelmon.gui.widgets.tables import markdown_of_csv, markdown_table


def copied():
    return QGuiApplication.clipboard().text()


def test_that_figures_stand_right_and_no_cell_breaks_its_table():
    assert markdown_table(("Name", "Time"), [("a|b\nc", "1 s")], figures={1}) == (
        "| Name | Time |\n| :-- | --: |\n| a\\|b c | 1 s |\n"
    )
    assert markdown_of_csv('block,s\r\n"out, last",0.5\r\n').splitlines()[1:] == [
        "| :-- | --: |",
        "| out, last | 0.5 |",
    ]
    # Names come from files.
    assert markdown_of_csv("block,s\na\u2028b,0.5\n").splitlines()[2:] == ["| a b | 0.5 |"]


def test_that_the_verdict_is_copied_by_its_command_and_in_its_details(qtbot, window):
    opened(window)
    assert not window.actions_by_id["copy_result"].isEnabled()
    comparison = make_comparison()
    window.session.conclude(comparison)
    window.actions_by_id["copy_result"].trigger()
    lines = copied().splitlines()
    assert lines[0] == f"**{comparison.verdict.sentence}**"
    assert "| A | mmap | 2.00 s | 2.00 s | 2.00 s–2.00 s | 1 GB/s | 60% | 2.01 GB | 5 |" in lines
    assert any(line.startswith("Confidence: high (5 pairs") for line in lines)
    whole = copied()
    QGuiApplication.clipboard().clear()
    window.workspace.slot.page.offered["Details…"].click()
    (dialog,) = window.findChildren(VerdictDetails)
    dialog.markdown.click()
    assert copied() == whole
    dialog.close()


def test_that_phases_of_two_programs_stand_side_by_side(window):
    del window
    comparison = make_comparison()
    assert "| reading |" not in markdown_text(comparison)
    program = LoadConfig(library=PROGRAM)
    seen = {"config": program, "ready": "exit", "first_byte_ns": 10**9, "last_byte_ns": 15 * 10**8}
    runs_a, runs_b = (
        tuple(msgspec.structs.replace(run, **seen) for run in comparison.runs(label))
        for label in ("A", "B")
    )
    programs = msgspec.structs.replace(comparison, runs_a=runs_a, runs_b=runs_b)
    assert "| reading | 500 ms | 0 s |" in markdown_text(programs).splitlines()


def test_that_a_plot_is_copied_as_a_picture_and_as_a_table(open_window):
    open_window.session.show_record("A", LOAD_A.record())
    plot = open_window.workspace.plots.rss
    actions = {action.text(): action for action in plot.make_menu().actions()}
    actions["Copy as picture"].trigger()
    picture = QGuiApplication.clipboard().image()
    assert picture.size() == plot.size() * 2
    actions["Copy as Markdown"].trigger()
    heading, rule, *rows = copied().splitlines()
    assert heading.count("|") == rule.count("|") > 2
    assert len(rows) == len(plot.csv_text().splitlines()) - 1


def test_that_the_verdict_on_a_program_is_copied(window, recordings):
    States(window, recordings).watched()
    window.actions_by_id["copy_result"].trigger()
    heading, *lines = copied().splitlines()
    assert heading == f"**{window.workspace.slot.page.texts.headline.whole}**"
    assert any(line.startswith("- Command: llama-server -m") for line in lines)


def test_that_a_ranking_is_copied_and_its_strategies_are_used_by_its_menu(window, recordings):
    States(window, recordings).raced()
    tab, session = window.workspace.best, window.session
    row = next(each for each in tab.table.ranking.rows if each.figures and not each.leads)
    actions = {action.text(): action for action in tab.table.actions()}
    actions["Copy as Markdown"].trigger()
    assert not actions["Use as A"].isEnabled()
    tab.table.selectRow(tab.table.ranking.rows.index(row))
    assert any(f"| {row.label} |" in line for line in copied().splitlines()[2:])
    actions["Use as A"].trigger()
    assert session.config("A") == session.races.race.standing(row.label).config
    assert not tab.isVisible()


def test_that_lists_of_models_and_tensors_are_copied_by_their_menus(window, recordings):
    States(window, recordings).nothing_open()

    def copy_from(view):
        (action,) = (each for each in view.actions() if each.text() == "Copy as Markdown")
        action.trigger()
        return copied().splitlines()

    heading, _, *models = copy_from(window.empty.found.view)
    assert heading.startswith("| Name |")
    assert any("Llama-3.3-70B-Instruct" in line for line in models)
    States(window, recordings).opened()
    heading, _, *rows = copy_from(window.side.tree.view)
    assert heading == "| Name | Type | Shape | Size |"
    assert any("layers.3" in line for line in rows)


def test_that_the_strip_of_runs_and_a_tab_with_its_legend_are_copied_as_pictures(
    window, recordings
):
    States(window, recordings).compared()
    window.resize(1440, 900)
    plot = window.workspace.waterfall
    actions = {action.text(): action for action in plot.make_menu().actions()}
    actions["Copy as picture"].trigger()
    assert QGuiApplication.clipboard().image().height() == 2 * (
        plot.height() + plot.header.height()
    )
    settled(window)
    strip = window.workspace.slot.page.strip
    (action,) = strip.actions()
    action.trigger()
    picture = QGuiApplication.clipboard().image()
    assert picture.size() == strip.size() * 2
    assert len({picture.pixel(x, y) for x in range(0, picture.width(), 3) for y in (20, 40)}) > 2


def test_that_a_comparison_is_shared_as_a_page_in_the_language_of_the_window(
    qtbot, qapp, open_window, tmp_path
):
    window, comparison = open_window, make_comparison()
    share = window.actions_by_id["share"]
    assert not share.isEnabled()
    window.session.conclude(comparison)
    assert share.isEnabled()
    sharing, page = Sharing(window.session, window), tmp_path / "a page.html"
    sharing.write(str(tmp_path / "page.pdf"))
    qtbot.waitUntil(lambda: bool(window.session.notice), timeout=60_000)
    assert window.session.notice.reason == "End it with .html or .md."
    translator = language.install(qapp, "zh_CN")
    try:
        with qtbot.waitSignal(sharing.written, timeout=60_000):
            sharing.write(str(page))
    finally:
        qapp.removeTranslator(translator)
    text = page.read_text()
    assert "速度是 mmap 的 2.0 倍" in unescape(text)
    (data,) = json.loads(re.search(r'id="data">\n(.*)\n</script>', text)[1])
    assert len(data["runs_a"]) == len(comparison.runs_a)


SENTENCE = re.compile(r"(?<![\w/.-])[a-z]{2,}(?:,? [a-z]{2,}){2,}(?![\w/.])")
"""Three words in a row; one or two may be a name and what it is set to."""


def untranslated(text):
    """What is left of a text without the words of its templates."""
    if not isinstance(text, Message):
        return text
    return text.render(lambda template: " ".join(re.findall(r"\{\w+\}", template)))


def of_a_program(events):
    """A load as if a program had made it."""
    change, (hello, *others, done) = msgspec.structs.replace, events
    program = WatchedProgram("llama-server -m model.gguf", "http:8080/health")
    yield change(hello, job=change(hello.job, program=program))
    yield from others
    yield change(done, first_byte_ns=10**8, last_byte_ns=10**9)


def texts(items):
    for each in items:
        if isinstance(each, Table):
            yield from (text for row in (each.headings, *each.rows) for text in row)
        else:
            assert isinstance(each, (Paragraph, Code))
            yield each.text


@pytest.mark.parametrize("what", ["run", "comparison", "race", "cluster", "program"])
def test_that_no_sentence_of_a_report_stays_english(sample, what):
    inspection = inspect_model(sample)
    if what == "comparison":
        result = make_comparison()
    elif what == "cluster":
        result = result_of(told())
    elif what == "program":
        result = analyze(record_of(of_a_program(LOAD_A.events())), inspection)
    elif what == "run":
        result = analyze(LOAD_A.record(), inspection)
    else:
        session = Racetrack(conditions(seed=3), seed=3).go(12)
        session.stop()
        result = session.race(inspection)
    found = list(texts(result_items(result)))
    assert len(found) > 10
    assert [text for text in found if SENTENCE.search(untranslated(text))] == []
