"""Documents are short, plain and true: lengths, words, links, and every command they show."""

import os
import re
import shlex
import stat
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

import click
import pytest
from tests.core.cli.test_help import COMMANDS
from tests.system.commands import typed

from modelmon.core.cli.main import cli
from modelmon.core.errors import EXIT_CANCELLED
from modelmon.core.find_best.session import SearchSession
from modelmon.core.model.sample import write_sample
from modelmon.core.units import MIB

ROOT = Path(__file__).parents[2]
LIMITS = {"README.md": 700, "ARCHITECTURE.md": 1_200, "CHANGELOG.md": 600, "CONTRIBUTING.md": 900}
"""Most words of a document; all other pages have `PAGE`."""
PAGE, DECISIONS, BENCHMARKS, ALL = 1_000, 2_200, 1_900, 14_000
SENTENCE, BULLET = 26, 20
"""Most words of a sentence, figures and code among them, and of a line of the changelog."""
BANNED = re.compile(
    r"\b((?<!early to )tells?|told|says of|(is|are|was|were) seen|lies|comes? to|goes on|go on"
    r"|holds?|let go|anew|in turn|beside|by itself|for want|(?<!ahead )of it|(?<!not )odds"
    r"|whatever|whoever|wherever)\b",
    re.IGNORECASE,
)
PAGES = (
    "README.md",
    *(f"docs/{path.name}" for path in sorted((ROOT / "docs").glob("*.md"))),
    *("ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"),
    *("benchmarks/README.md", "tests/README.md"),
)
PARSED_ONLY = {
    "launch": "it becomes the program",
    "cluster": "it needs Ray",
    "doctor --probe": "it takes five seconds",
    "demo": "it takes a minute",
    "simulate": "it serves until Ctrl-C",
}


@cache
def text(page):
    return (ROOT / page).read_text("utf-8")


def prose(page):
    """A page without code, pictures, links' targets and figures."""
    without = re.sub(r"^```.*?^```$", "", text(page), flags=re.DOTALL | re.MULTILINE)
    without = re.sub(r"<picture>.*?</picture>", "", without, flags=re.DOTALL)
    return re.sub(r"`[^`]*`", "X", re.sub(r"\]\([^)]*\)", "]", without))


def limit(page):
    if page == "docs/decisions.md":
        return DECISIONS
    return BENCHMARKS if page.startswith("benchmarks") else LIMITS.get(page, PAGE)


@pytest.mark.parametrize("page", PAGES)
def test_that_a_page_is_short(page):
    assert len(text(page).split()) <= limit(page)


def test_that_all_pages_are_short():
    assert sum(len(text(page).split()) for page in PAGES) <= ALL


def test_that_no_other_document_is_there():
    ignored = {".venv", ".venv-engines", ".git", "node_modules"}
    found = {
        str(path.relative_to(ROOT))
        for folder in (".", "docs", "benchmarks", "tests", "setup", "core", "gui", "resources")
        for path in (ROOT / folder).glob("*.md")
        if not ignored & set(path.parts)
    }
    assert found == set(PAGES)


@pytest.mark.parametrize("page", PAGES)
def test_that_no_banned_word_is_in_a_page(page):
    assert [found[0] for found in BANNED.finditer(prose(page))] == []


@pytest.mark.parametrize("page", PAGES)
def test_that_sentences_are_short(page):
    parts = re.split(r"(?<=[.:;?!])\s|\n\s*\n|\n- |\n\d+\. |\n#|\||\n\*\*", prose(page))
    assert [part for part in parts if len(part.split()) > SENTENCE] == []


def test_that_lines_of_the_changelog_are_short():
    lines = re.findall(r"^- (.*?)(?=^- |^#|\Z)", text("CHANGELOG.md"), re.DOTALL | re.MULTILINE)
    assert lines
    assert [line for line in lines if len(line.split()) > BULLET] == []


def anchors(page):
    """What a heading is linked by."""
    titles = re.findall(r"^#+ (.*)$", text(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES)
def test_that_links_lead_somewhere(page):
    links = re.findall(r"\]\(([^)]+)\)", text(page)) + re.findall(
        r'(?:src|srcset)="([^"]+)"', text(page)
    )
    for link in links:
        place = urlsplit(link)
        if place.scheme:
            continue
        target = (ROOT / page).parent / place.path if place.path else ROOT / page
        assert target.exists(), link
        if place.fragment:
            assert place.fragment in anchors(os.path.relpath(target, ROOT)), link


def commands(page):
    """The commands of modelmon that the fences of a page show, in order."""
    for fence in re.findall(r"^```\n(.*?)^```$", text(page), re.DOTALL | re.MULTILINE):
        for line in fence.replace("\\\n", "").splitlines():
            words = line.removeprefix("$ ").partition(" # ")[0]
            if words.startswith("modelmon "):
                yield shlex.split(words.partition(" | ")[0])[1:]


@pytest.mark.parametrize("page", PAGES)
def test_that_commands_of_a_page_are_understood(page):
    shown = [
        shlex.split(code)[1:]
        for code in re.findall(r"`(modelmon [a-z][^`]*)`", re.sub("```.*?```", "", text(page)))
    ]
    for words in [*commands(page), *shown]:
        understand(words)


def understand(words):
    """Parse it as it would be run."""
    command, context = cli, click.Context(cli, info_name="modelmon", **cli.context_settings)
    while isinstance(command, click.Group) and words:
        named = command.get_command(context, words[0])
        if named is None:
            break
        command, words = named, words[1:]
    if command is cli:
        assert len(words) <= 1, f"modelmon {words}"
    elif words:
        command.make_context(command.name, list(words), parent=context)


def test_that_help_is_plain():
    for name, command in COMMANDS.items():
        options = [each.help or "" for each in command.params if hasattr(each, "help")]
        for shown in (command.get_short_help_str(1_000), *options):
            assert [found[0] for found in BANNED.finditer(shown)] == [], name


@pytest.fixture
def shop(tmp_path, monkeypatch):
    """A folder with the models and the program that the pages name; searches end soon."""
    write_sample(tmp_path / "model.gguf", "gguf", 8 * MIB, layers=4, seed=1)
    server = tmp_path / "bin" / "llama-server"
    server.parent.mkdir()
    server.write_text('#!/bin/sh\nwhile [ "$1" != -m ]; do shift; done\nexec cat "$2" >/dev/null\n')
    server.chmod(server.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{server.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.chdir(tmp_path)
    # The stand-in answers at no port.
    for module in ("cli.watch", "comparison.commands"):
        monkeypatch.setattr(f"modelmon.core.{module}.ready_sign", lambda _: "")
    usual = SearchSession.next_job

    def next_job(session):
        if len(session.runs) >= 2:
            session.stop()
        return usual(session)

    monkeypatch.setattr(SearchSession, "next_job", next_job)
    return tmp_path


QUICKLY = {
    "compare": ("--repeats", "1", "--cache", "warm"),
    "best": ("--objective", "warm"),
    "run": ("--cache", "warm"),
}


def runnable(words):
    line = " ".join(words)
    return (
        not any(part in line for part in ("ssh://", "--pid", "MODEL", "/models/", "--ready"))
        and not any(line.startswith(name) for name in PARSED_ONLY)
        and words != ["model.gguf"]
        and "llama.cpp" not in words
    )


@pytest.mark.usefixtures("shop")
def test_that_commands_of_the_pages_run_in_order(tmp_path, monkeypatch):
    """Each page's in a history of its own, which its later commands name."""
    ran = []
    for page in PAGES:
        monkeypatch.setenv("MODELMON_DATA_DIR", str(tmp_path / "data" / page))
        for words in filter(runnable, commands(page)):
            if words in ran and words[0] in ("watch", "warm", "doctor"):
                continue
            ran.append(words)
            at = words.index("--") if "--" in words else len(words)
            quickly = QUICKLY.get(words[0], ()) if "--config" not in words else ()
            done = typed(*words[:at], *quickly, *words[at:])
            # A search that was stopped early has a result as well.
            allowed = {0, EXIT_CANCELLED if words[0] == "best" else 0}
            assert done.returncode in allowed, (page, words, done.stderr)
    assert len(ran) > 10
