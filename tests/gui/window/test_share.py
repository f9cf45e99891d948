"""Share writes what the window shows, by the same words as the terminal."""

import json
import re

from window_fakes import make_comparison, opened

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
    assert "End it with .html or .md." in str(window.session.notice.headline)
