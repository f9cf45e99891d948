import pytest

from modelmon.gui.blocks.block_timings import BlockTimings


@pytest.fixture
def show(qtbot):
    """Show a plot at the size it has in the window."""

    def shown(plot, width=560, height=256):
        qtbot.addWidget(plot)
        plot.resize(width, height)
        plot.show()
        qtbot.waitExposed(plot)
        return plot

    return shown


@pytest.fixture
def timings(show, slow, fast):
    """Blocks of the slow run in A and of the fast one in B."""
    made = show(BlockTimings(), 1100, 290)
    made.set_record("A", slow)
    made.set_record("B", fast)
    return made


@pytest.fixture(scope="session")
def slow(recordings):
    """8.28 s, one reader, mapped."""
    return recordings.record(recordings.SLOW)


@pytest.fixture(scope="session")
def fast(recordings):
    """5.23 s, four readers, owned."""
    return recordings.record(recordings.FAST)
