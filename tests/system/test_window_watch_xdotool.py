"""A program of somebody else is watched in the window with real keys and a real mouse: from its
command to what is saved of it.
"""

import shlex
import sys
import time

import numpy as np
import pytest
from tests.system.by_hand import export, family, program
from tests.system.commands import assert_that_all_have_ended, command_line, starts
from tests.system.virtual_screen import PATIENCE_S, virtual_screen, why_not

from modelmon.gui.look.theme import LIGHT

pytestmark = [
    pytest.mark.system,
    pytest.mark.long,
    pytest.mark.skipif(bool(why_not()), reason=why_not()),
    pytest.mark.skipif(sys.platform != "linux", reason="watches by /proc"),
]

SIZE = (1440, 900)
WATCH, DETAILS = "^Watch a program$", "^Watched program: details$"
FROM_THE_CORNER = (64, 32)
"""Where the button is that a dialog ends with."""
THE_LAST_BUT_ONE = (170, 32)
WATERFALL = (slice(350, 740), slice(920, 1400))
"""Rows and columns of the screen in which blocks are named and drawn; before, words are pale."""
STOP_BUTTON = (slice(190, 290), slice(1320, 1420))
EXPORT_BUTTON, DETAILS_BUTTON = (1343, 226), (1343, 254)
SOME_PIXELS = 100
KEY_PATIENCE_S = 15


@pytest.fixture
def screen(tmp_path):
    with virtual_screen(tmp_path, SIZE) as made:
        yield made


@pytest.mark.slow
def test_that_a_program_is_watched_and_exported_with_keys_and_mouse(
    screen, own_copy, on_a_device, notes, tmp_path
):
    del on_a_device
    line, target = command_line("waits-and-stays", own_copy, notes), tmp_path / "load.sh"
    with program(screen, tmp_path, own_copy) as started:
        title = f"{own_copy.stem}.* modelmon"
        screen.window(title)
        ask_for(screen, line)
        screen.wait(lambda: bool(starts(notes)), "the program isn't started")
        screen.wait(lambda: seen(screen, LIGHT.bad, STOP_BUTTON) > SOME_PIXELS, "no way to stop")
        bare = seen(screen, LIGHT.text, WATERFALL)
        (notes / "go").touch()
        screen.wait(
            lambda: seen(screen, LIGHT.text, WATERFALL) > bare + SOME_PIXELS, "no blocks arrive"
        )
        screen.wait(lambda: not seen(screen, LIGHT.bad, STOP_BUTTON), "no verdict is seen")
        screen.wait(lambda: len(family(started.pid)) == 1, "processes are left")
        assert_that_all_have_ended(notes)
        assert "before reading: " in read_details(screen)
        screen.window(title)
        screen.click(*EXPORT_BUTTON)
        export(screen, target)
        screen.window(title)
        screen.press("ctrl+q")
        assert started.wait(PATIENCE_S) == 0
    assert shlex.split(target.read_text().replace("\\\n", "")) == shlex.split(line)
    assert len(starts(notes)) == 1


def ask_for(screen, line):
    """Type a command into the dialog, and click Start."""

    def soon(*, is_shown):
        until = time.monotonic() + KEY_PATIENCE_S
        while bool(screen.windows(WATCH)) is not is_shown and time.monotonic() < until:
            time.sleep(0.1)
        return bool(screen.windows(WATCH)) is is_shown

    def opened():
        screen.press("F4")
        # In the dialog the same key opens a list, which would keep the click to itself.
        return soon(is_shown=True)

    def started():
        for dialog in screen.windows(WATCH):
            # It grows with what is typed, which may be shown only after it was measured.
            width, height = screen.size_of(dialog)
            screen.click(width - FROM_THE_CORNER[0], height - FROM_THE_CORNER[1], dialog)
        return soon(is_shown=False)

    # A key says nothing before the model is open.
    screen.wait(opened, "F4 opens no dialog")
    screen.window(WATCH)
    screen.type(line)
    screen.wait(started, "the dialog stays")


def seen(screen, color, place):
    """How many pixels there have exactly this color."""
    rows, columns = place
    found = screen.places_of(color.rgb() & 0xFFFFFF)
    inside = (found >= (rows.start, columns.start)) & (found < (rows.stop, columns.stop))
    return int(np.count_nonzero(inside.all(axis=1)))


def read_details(screen):
    """What stands behind the verdict, copied with the dialog's button."""
    screen.click(*DETAILS_BUTTON)
    dialog = screen.window(DETAILS)
    width, height = screen.size_of(dialog)
    screen.click(width - THE_LAST_BUT_ONE[0], height - THE_LAST_BUT_ONE[1], dialog)
    screen.wait(lambda: bool(screen.clipboard()), "nothing was copied")
    told = screen.clipboard()
    screen.press("Escape")
    screen.wait(lambda: not screen.windows(DETAILS), "the details stay")
    return told
