"""Share writes what the window shows, by the same words as the terminal."""

import json
import re
from html import unescape

import pytest
from tests.core.find_best.racing import Racetrack, conditions
from window_fakes import LOAD_A, make_comparison, opened

from modelmon.core.cli.best import show_race
from modelmon.core.cli.compare import show_comparison
from modelmon.core.cli.output import Facts, Listing, printed
from modelmon.core.cli.run import show_run
from modelmon.core.comparison.runner import analyze
from modelmon.core.doctor.inspection import inspect_model
from modelmon.core.messages import Message
from modelmon.gui import language
from modelmon.gui.export.share import Sharing


def test_that_a_comparison_is_shared_as_a_page(qtbot, window, tmp_path):
    opened(window)
    share = window.actions_by_id["share"]
    assert not share.isEnabled()
    comparison = make_comparison()
    window.session.conclude(comparison)
    assert share.isEnabled()
    sharing, page = Sharing(window.session, window), tmp_path / "a page.html"
    with qtbot.waitSignal(sharing.written, timeout=60_000):
        sharing.write(str(page))
    text = page.read_text()
    assert comparison.verdict.sentence in text
    (data,) = json.loads(re.search(r'id="data">\n(.*)\n</script>', text)[1])
    assert len(data["runs_a"]) == len(comparison.runs_a)


def test_that_what_cant_be_written_is_told(qtbot, window, tmp_path):
    opened(window)
    window.session.conclude(make_comparison())
    sharing = Sharing(window.session, window)
    sharing.write(str(tmp_path / "page.pdf"))
    qtbot.waitUntil(lambda: bool(window.session.notice), timeout=60_000)
    assert window.session.notice.reason == "End it with .html or .md."


def test_that_a_report_speaks_the_language_of_the_window(qtbot, qapp, window, tmp_path):
    opened(window)
    window.session.conclude(make_comparison())
    sharing, page = Sharing(window.session, window), tmp_path / "page.html"
    translator = language.install(qapp, "zh_CN")
    try:
        with qtbot.waitSignal(sharing.written, timeout=60_000):
            sharing.write(str(page))
    finally:
        qapp.removeTranslator(translator)
    assert "速度是 mmap 的 2.0 倍" in unescape(page.read_text())


SENTENCE = re.compile(r"(?<![\w/.-])[a-z]{2,}(?:,? [a-z]{2,}){2,}(?![\w/.])")
"""Three words in a row; one or two may be a name and what it is set to."""


def untranslated(text):
    """What is left of a text without the words of its templates."""
    if not isinstance(text, Message):
        return text
    return text.render(lambda template: " ".join(re.findall(r"\{\w+\}", template)))


def texts(shown):
    for each, _ in shown:
        if isinstance(each, Facts):
            yield from (text for row in each.rows for text in row)
        elif isinstance(each, Listing):
            headings, rows, _ = each.cells
            yield from (*headings, *(text for row in rows for text in row))
        elif isinstance(each, str):
            yield each


@pytest.mark.parametrize("what", ["run", "comparison", "race"])
def test_that_no_sentence_of_a_report_stays_english(sample, what):
    def show():
        if what == "comparison":
            show_comparison(make_comparison())
            return
        inspection = inspect_model(sample)
        if what == "run":
            show_run(analyze(LOAD_A.record(), inspection))
            return
        session = Racetrack(conditions(seed=3), seed=3).go(12)
        session.stop()
        show_race(session.race(inspection))

    with printed() as shown:
        show()
    found = list(texts(shown))
    assert len(found) > 10
    assert [text for text in found if SENTENCE.search(untranslated(text))] == []
