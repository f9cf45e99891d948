"""Ctrl-C ends what makes several runs, also where Python would print it and go on."""

import signal
import sys

import pytest

from modelmon.core.cli.interrupts import INTERRUPTS, heeded
from modelmon.core.cli.progress import ProgressBar
from modelmon.core.messages import NOTHING
from modelmon.core.worker import events as ev
from modelmon.core.worker.record import RunRecord

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")


class Destroyed:
    def __del__(self):
        signal.raise_signal(signal.SIGINT)


def raised():
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("interrupt", [raised, Destroyed])
@pytest.mark.parametrize(
    "go_on",
    [
        lambda bar: bar.begin("mmap", "pair 1 of 3"),
        lambda bar: bar.follow(ev.Waiting(5, NOTHING), RunRecord()),
        lambda bar: bar.show("warming", 1, 2),
    ],
    ids=["next run", "next event", "next step"],
)
def test_that_nothing_goes_on_after_one_that_got_lost(interrupt, go_on):
    with heeded():
        interrupt()
        with pytest.raises(KeyboardInterrupt), ProgressBar(quiet=True) as bar:
            go_on(bar)
    with heeded():
        INTERRUPTS.check()


def test_that_handlers_are_as_before_and_what_is_ignored_stays_so():
    usual = signal.getsignal(signal.SIGINT)
    with heeded():
        assert signal.getsignal(signal.SIGINT) != usual
    assert signal.getsignal(signal.SIGINT) == usual
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with heeded():
            signal.raise_signal(signal.SIGINT)
        assert signal.getsignal(signal.SIGINT) == signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, usual)
