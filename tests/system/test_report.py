"""`modelmon report`: the same figures and words as elsewhere, in a page that any browser opens."""

import json
import re
import shutil
import subprocess
from html import unescape

import pytest
from tests.system.commands import typed
from tests.system.needs import on_linux

from modelmon.core.model.sample import write_sample
from modelmon.core.units import MIB

pytestmark = on_linux

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
WIDE = "a-" * 200
# Tells how wide a page is that is shown at 800 pixels.
AROUND = """<body><iframe width=800 height=600 src="{page}" onload="
  const root = this.contentDocument.documentElement;
  document.title = root.scrollWidth + ' of ' + root.clientWidth"></iframe></body>"""


@pytest.fixture
def model(tmp_path):
    folder = tmp_path / "somebody's models"
    folder.mkdir()
    return write_sample(folder / "small.gguf", "gguf", 8 * MIB, 2, 0)


@pytest.fixture
def watched(model):
    """The JSON of a program that was watched, run 1 of the history."""
    serve = f"echo '<b>{WIDE}</b>'; cat '{model.name}' >/dev/null; sleep 0.3"
    command = ("--ready", "exit", "--json", "--", "sh", "-c", f'cd "$1" && {serve}', "sh")
    done = typed("watch", model, *command, model.parent)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def text_of(page):
    return unescape(re.sub(r"<[^>]*>", "\n", page))


def test_that_a_report_has_the_words_and_figures_of_the_run(watched, tmp_path):
    page = tmp_path / "report.html"
    done = typed("report", "1", "--out", page)
    assert done.returncode == 0, done.stderr
    text = page.read_text()
    shown = text_of(text)
    wait = watched["wait"]
    assert wait["headline"] in shown
    assert wait["reason"] in shown
    for part in wait["parts"]:
        assert part["name"] in shown
    (data,) = json.loads(re.search(r'id="data">\n(.*)\n</script>', text)[1])
    assert data["wall_ns"] == watched["result"]["wall_ns"]
    assert "somebody's models" not in text
    assert str(tmp_path) not in text
    printed = typed("report", "1", "--out", "-").stdout
    assert wait["reason"] in printed.replace("\\", "")
    kept = typed("report", "1", "--private", "--out", "-").stdout
    assert "somebody's models" in kept


def test_that_saved_results_and_experiments_are_reported_alike(model, tmp_path):
    saved = tmp_path / "c.json"
    done = typed("compare", model, "--repeats", "1", "--fixed", "--out", saved)
    assert done.returncode == 0, done.stderr
    sentence = json.loads(saved.read_text())["verdict"]["sentence"]
    for subject in (saved, "x1"):
        done = typed("report", subject, "--out", "-")
        assert done.returncode == 0, done.stderr
        assert f"**{sentence}**" in done.stdout.replace("\\", "")
        assert "modelmon compare" in done.stdout
    page = tmp_path / "both.html"
    assert typed("report", saved, "x1", "--out", page).returncode == 0
    assert page.read_text().count("<circle") == 4
    # Where its model is gone, what was said then.
    model.unlink()
    done = typed("report", "x1", "--out", "-")
    assert done.returncode == 0, done.stderr
    assert f"**{sentence}**" in done.stdout.replace("\\", "")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("999",), "There's no run 999"),
        (("nothing.json",), "There's no run or file called"),
        (("999", "--out", "report.pdf"), "End it with .html or .md."),
    ],
)
def test_that_what_cant_be_reported_is_told_in_a_sentence(arguments, said):
    done = typed("report", *arguments)
    assert done.returncode == 2
    assert said in " ".join(done.stderr.split())


@pytest.mark.long
@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here")
@pytest.mark.parametrize("theme", [(), ("--blink-settings=preferredColorScheme=0",)])
def test_that_a_browser_opens_it_without_errors_requests_or_scrolling(watched, tmp_path, theme):
    page, log = tmp_path / "report.html", tmp_path / "net.json"
    assert typed("report", "1", "--out", page).returncode == 0
    around = tmp_path / "around.html"
    around.write_text(AROUND.format(page=page.as_uri()))
    options = ("--headless", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files")
    told = ("--enable-logging=stderr", f"--log-net-log={log}", "--virtual-time-budget=5000")
    profile = f"--user-data-dir={tmp_path / 'profile'}"
    done = subprocess.run(
        [CHROMIUM, *options, *told, *theme, profile, "--dump-dom", around.as_uri()],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "CONSOLE" not in done.stderr
    assert re.search(r"<title>(\d+) of \1</title>", done.stdout)
    asked = re.findall(r'"url":"((?!file:|chrome|data:|devtools|about:)[^"]*)"', log.read_text())
    own = ("googleapis.com", "google.com", "gvt1.com")
    assert [each for each in asked if not any(name in each for name in own)] == []
