"""Ctrl-C always arrives, also where Python would print it and go on."""

import gc
import signal
import sys
import time
import weakref

import pytest

from modelmon.core.cli.interrupts import INTERRUPTS, heeded
from modelmon.core.cli.main import main
from modelmon.core.cli.progress import ProgressBar
from modelmon.core.errors import EXIT_CANCELLED

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
LONG_S = 30.0


class Destroyed:
    def __del__(self):
        signal.raise_signal(signal.SIGINT)


class Referenced:
    pass


def by_destructor():
    Destroyed()


def by_weak_reference():
    kept = Referenced()
    reference = weakref.ref(kept, lambda _: signal.raise_signal(signal.SIGINT))
    del kept
    assert reference() is None


def by_collector():
    kept = Destroyed()
    kept.own = kept
    del kept
    gc.collect()


@pytest.mark.parametrize("lose", [by_destructor, by_weak_reference, by_collector])
def test_that_an_interrupt_arrives_where_python_prints_it_and_goes_on(lose):
    begun_s = time.monotonic()

    def command():
        lose()
        time.sleep(LONG_S)

    with pytest.raises(KeyboardInterrupt), heeded():
        command()
    assert time.monotonic() - begun_s < LONG_S


def test_that_a_command_ends_by_it(monkeypatch, capsys):
    def read(*_):
        by_destructor()
        time.sleep(LONG_S)

    monkeypatch.setattr("modelmon.core.cli.inspect.inspect_reached", read)
    assert main(["inspect", "model"]) == EXIT_CANCELLED
    assert capsys.readouterr().err.strip() == "Stopped."


def test_that_no_run_begins_after_one_that_somebody_caught():
    with heeded():
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt), ProgressBar(quiet=True) as bar:
            bar.begin("mmap", "pair 1 of 3")
    with heeded():
        INTERRUPTS.check()


def test_that_handlers_are_as_before_and_what_is_ignored_stays_so():
    usual, hook = signal.getsignal(signal.SIGINT), sys.unraisablehook
    with heeded():
        assert signal.getsignal(signal.SIGINT) != usual
    assert signal.getsignal(signal.SIGINT) == usual
    assert sys.unraisablehook is hook
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with heeded():
            signal.raise_signal(signal.SIGINT)
        assert signal.getsignal(signal.SIGINT) == signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, usual)
