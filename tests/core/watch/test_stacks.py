import os
import stat
import sys
import textwrap
import time

import pytest

from modelmon.core.errors import ConfigError
from modelmon.core.watch.stacks import StackSampler
from modelmon.core.worker.events import Started, Waiting
from modelmon.core.worker.record import RunRecord

S = 10**9
# What py-spy 0.4 prints of a thread at work, one that sleeps, and one that imports.
THREADS = """\
[{"pid": 1, "active": true, "frames": [
   {"name": "convert", "filename": "/home/me/app/weights.py", "short_filename": "app/weights.py"}]},
 {"pid": 1, "active": false, "frames": [{"name": "wait", "filename": "/usr/threading.py"}]},
 {"pid": 1, "active": true, "frames": [
   {"name": "get_data", "filename": "<frozen importlib._bootstrap_external>"},
   {"name": "<module>", "filename": "/usr/lib/torch/__init__.py", "short_filename": null}]}]
"""


@pytest.fixture
def py_spy(tmp_path, monkeypatch):
    """Makes a py-spy that does what a text says."""

    def make(text):
        path = tmp_path / "py-spy"
        path.write_text(f"#!{sys.executable}\n{textwrap.dedent(text)}")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
        monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))

    return make


def looked(sampler):
    """It, after it has looked for a while."""
    record = RunRecord()
    sampler.follow(Started(os.getpid()), record)
    until_s = time.monotonic() + 60
    while time.monotonic() < until_s:
        time.sleep(0.05)
        if sampler.hottest(0, 100 * S) or str(sampler.problem).startswith("py-spy"):
            break
    record.state = "finished"
    sampler.follow(Waiting(0), record)
    return sampler


def test_that_shares_are_of_all_looks_also_of_those_that_found_nothing_at_work(py_spy, tmp_path):
    first = tmp_path / "first"
    py_spy(f"""
        import pathlib
        once = pathlib.Path({str(first)!r})
        print({THREADS!r} if not once.exists() else "[]")
        once.touch()
    """)
    sampler = StackSampler()
    sampler.begin(os.getpid())
    until_s = time.monotonic() + 60
    while len(sampler._looks) < 4 and time.monotonic() < until_s:
        time.sleep(0.05)
    sampler.end()
    last_ns = sampler._looks[3][0] + 1
    assert {each.share for each in sampler.hottest(0, last_ns)} == {0.25}


def test_that_functions_at_work_are_named_without_what_imports_them(py_spy):
    py_spy(f"print({THREADS!r})")
    sampler = looked(StackSampler())
    assert {each.function: each.share for each in sampler.hottest(0, 100 * S)} == {
        "convert (weights.py)": 1.0,
        "<module> (__init__.py)": 1.0,
    }
    assert sampler.hottest(200 * S, 300 * S) == ()
    assert not sampler.problem


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("import sys; sys.exit('Permission Denied: Try running again with sudo')", "Permission"),
        ("print('[{')", "truncated"),
        ("print(chr(27) + '[2J')", "JSON"),
    ],
)
def test_that_a_py_spy_that_shows_nothing_is_quoted(py_spy, text, why):
    py_spy(text)
    problem = str(looked(StackSampler()).problem)
    assert why in problem
    assert "\x1b" not in problem


def test_that_without_py_spy_it_is_said_how_to_get_it(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    with pytest.raises(ConfigError) as error:
        StackSampler()
    assert "pip install py-spy" in error.value.remedy
