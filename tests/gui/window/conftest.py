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


@pytest.fixture(scope="module")
def _shared():
    """Holds the window that a module's tests share, where there is one."""
    held = []
    yield held
    for window in held:
        ended(window)


@pytest.fixture
def alone(_shared):
    """Without the shared window: each new one would have it styled again."""
    while _shared:
        ended(_shared.pop())


@pytest.fixture
def new_window(qapp, settings, alone):
    """A window that was never used, with nothing open."""
    del qapp, alone
    made = built(settings)
    # The screen in memory is a small one.
    made.resize(1280, 800)
    made.show()
    yield made
    ended(made)


@pytest.fixture
def _one_window(_shared, theme_manager, tmp_path_factory):
    """One for all tests of a module: to furnish it takes longer than most of them."""
    del theme_manager
    if not _shared:
        _shared.append(built(Settings(tmp_path_factory.mktemp("shared") / "window.ini")))
        _shared[0].show()
    return _shared[0]


@pytest.fixture
def window(_one_window):
    """The window, as new, with nothing open. Tests that close it take a `new_window`."""
    as_new(_one_window)
    return _one_window


@pytest.fixture
def open_window(_one_window):
    """The window, as new, with a model open."""
    as_new(_one_window, make_inspection())
    return _one_window


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
