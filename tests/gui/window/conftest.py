"""Sessions, settings, and workers that are scripts."""

import sys
import textwrap
from pathlib import Path

import pytest

from modelmon.core.worker import events as ev
from modelmon.core.worker.look import seen_at
from modelmon.gui.export import sources
from modelmon.gui.session.session import Session
from modelmon.gui.session.settings import Settings

# Test modules are imported one by one: what they share has to be found by its name.
sys.path.insert(0, str(Path(__file__).parent))

from window_fakes import LOAD_A, as_new, built, ended, make_inspection


@pytest.fixture(scope="module", autouse=True)
def _places_seen_here():
    """Each dialog of an export asks a process what is at its place: only once for real."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sources, "seen_soon", lambda path: next(seen_at(path, lists=False)))
        yield


@pytest.fixture
def settings(tmp_path):
    """Settings in a file of the test's own."""
    return Settings(tmp_path / "window.ini")


@pytest.fixture
def session(qapp):
    """A session with a model open."""
    made = Session(qapp)
    made.set_inspection(make_inspection())
    return made


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Where the test's history is."""
    monkeypatch.setenv("MODELMON_DATA_DIR", str(tmp_path / "data"))
    return tmp_path / "data"


@pytest.fixture
def new_window(qapp, settings):
    """A window that was never used, with nothing open."""
    del qapp
    made = built(settings)
    # The screen in memory is a small one.
    made.resize(1280, 800)
    made.show()
    yield made
    ended(made)


@pytest.fixture(scope="module")
def _window_of_module(dressed_app, tmp_path_factory):
    del dressed_app
    made = built(Settings(tmp_path_factory.mktemp("shared") / "window.ini"))
    made.show()
    yield made
    ended(made)


@pytest.fixture
def window(_window_of_module, theme_manager):
    """The window, with nothing open: one for all tests of a module, as new for each, for to furnish
    it takes longer than most tests. Those that close it take a `new_window`.
    """
    del theme_manager
    as_new(_window_of_module)
    return _window_of_module


@pytest.fixture
def script(tmp_path):
    """Makes a command that runs a Python text instead of a worker or subcommand."""

    def make(text):
        path = tmp_path / f"script-{abs(hash(text))}.py"
        path.write_text(textwrap.dedent(text))
        return (sys.executable, str(path))

    return make


@pytest.fixture
def playing(script):
    """Makes a worker that writes a Load's events, waiting for `go` where a worker does."""

    def make(load=LOAD_A, *, then="", exit_code=0):
        lines = [ev.encode(event).decode() for event in load.events()]
        return script(
            f"""
            import sys, time
            sys.stdin.readline()
            for line in {lines!r}:
                sys.stdout.write(line)
                sys.stdout.flush()
                if '"ready"' in line and sys.stdin.readline() != "go\\n":
                    sys.exit(3)
            {then}
            sys.exit({exit_code})
            """
        )

    return make
