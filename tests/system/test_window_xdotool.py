"""The program as a person starts it: a window on a screen, with real keys and a real mouse."""

import time
import tomllib

import numpy as np
import pytest
from tests.system.by_hand import (
    FEW_PIXELS,
    compare,
    do_by_name,
    export,
    family,
    has_worker,
    pixels,
    program,
    wait_for_verdict,
)
from tests.system.virtual_screen import PATIENCE_S, virtual_screen, why_not

from modelmon.core import load_model
from modelmon.gui.widgets.theme import LIGHT

pytestmark = pytest.mark.skipif(bool(why_not()), reason=why_not())

SIZE = (1440, 900)
IN_A_PLOT = (600, 450)
FURTHER_IN_IT = (700, 450)
IN_THE_WATERFALL = (700, 700)
BELOW_THE_BUTTON_PX = (60, 32)
"""Where *Details…* is in a column of three buttons; there two have nothing. Then of two."""
A_CHIP_PIXELS = 50
CHIP_ROWS = (300, 372)
"""Where the line above the plots may lie: the verdict's text has two lines or three."""
KEY_PATIENCE_S = 15


@pytest.fixture
def screen(tmp_path):
    with virtual_screen(tmp_path, SIZE) as made:
        yield made


@pytest.mark.slow
def test_that_keys_and_mouse_lead_from_the_command_line_to_an_exported_config(
    screen, own_copy, on_a_device, tmp_path
):
    del on_a_device
    target = tmp_path / "exported.toml"
    with program(screen, tmp_path, own_copy) as started:
        title = f"{own_copy.stem}.* modelmon"
        window = screen.window(title)
        compare(screen, started.pid)
        show_one_arm_at_a_time(screen)

        screen.window(title)
        screen.press("ctrl+e")
        export(screen, target)

        assert screen.window(title) == window
        screen.press("ctrl+q")
        assert started.wait(PATIENCE_S) == 0
        screen.wait(lambda: not family(started.pid), "processes are left")

    stored = tomllib.loads(target.read_text())
    assert load_model(own_copy, target).config.access == stored["load"]["access"]


@pytest.mark.long
@pytest.mark.slow
def test_that_what_stands_behind_a_verdict_is_found_copied_and_there_after_a_restart(
    screen, own_copy, on_a_device, tmp_path
):
    del on_a_device
    title = f"{own_copy.stem}.* modelmon"
    with program(screen, tmp_path, own_copy) as started:
        screen.window(title)
        compare(screen, started.pid)
        compare_again(screen, started.pid)
        read_details(screen)
        screen.window(title)
        select_a_block_and_a_range(screen)
        do_by_name(screen, "copy result as")
        screen.window(title)
        screen.wait(lambda: "| Strategy |" in screen.clipboard(), "no table was copied")
        verdict = screen.clipboard().split("|")[0]
        screen.press("ctrl+q")
        assert started.wait(PATIENCE_S) == 0
    with program(screen, tmp_path) as started:
        screen.window("^modelmon$")
        open_recent(screen, title)
        screen.wait(lambda: len(pixels(screen, LIGHT.ink)) > FEW_PIXELS, "no verdict comes back")
        screen.window(title)
        do_by_name(screen, "copy result as")
        # What was copied before went with the program.
        screen.wait(lambda: screen.clipboard().startswith(verdict), "another verdict comes back")
        screen.window(title)
        do_by_name(screen, "quit")
        assert started.wait(PATIENCE_S) == 0


def read_details(screen):
    """With the last button of the verdict; Escape closes them."""
    row, column = np.median(pixels(screen, LIGHT.ink), axis=0).astype(int).tolist()
    for below in BELOW_THE_BUTTON_PX:
        if not screen.windows("^Comparison details$"):
            screen.click(column, row + below)
            time.sleep(KEY_PATIENCE_S / 5)
    screen.window("^Comparison details$")
    screen.press("Escape")
    screen.wait(lambda: not screen.windows("^Comparison details$"), "the details stay")


def select_a_block_and_a_range(screen):
    """In the waterfall by a key, in a plot by a drag; each is seen, and Escape takes it away."""

    def count(color):
        return len(pixels(screen, color))

    screen.click(*IN_THE_WATERFALL)
    screen.press("Escape", "Escape")
    bare = count(LIGHT.focus_soft)
    screen.press("Down")
    screen.wait(lambda: count(LIGHT.focus_soft) > bare + FEW_PIXELS, "no block is selected")
    screen.click(*IN_A_PLOT)

    def on_a_chip():
        rows = pixels(screen, LIGHT.focus)[:, 0]
        return int(np.count_nonzero((rows > CHIP_ROWS[0]) & (rows < CHIP_ROWS[1])))

    without = on_a_chip()
    screen.drag(IN_A_PLOT, FURTHER_IN_IT)
    screen.wait(lambda: on_a_chip() > without + A_CHIP_PIXELS, "no range is selected")
    screen.press("Escape")
    screen.wait(lambda: on_a_chip() <= without, "the range stays")


def open_recent(screen, title):
    """The latest of the File menu, by keys."""

    def opened():
        # On a busy machine, keys may arrive before the menu opens.
        screen.press("Escape", "Escape", "F10", "Down", "Down", "Down", "Right", "Return")
        until = time.monotonic() + KEY_PATIENCE_S
        while not screen.windows(title) and time.monotonic() < until:
            time.sleep(0.1)
        return bool(screen.windows(title))

    screen.wait(opened, "no recent model opens")
    screen.window(title)


def compare_again(screen, session):
    """By mouse, with the button of a verdict from too few pairs."""
    row, column = np.median(pixels(screen, LIGHT.ink), axis=0).astype(int).tolist()
    screen.click(column, row)
    screen.wait(lambda: has_worker(session), "Compare again starts no worker")
    # Below the pointer the button has another color.
    screen.click(*IN_A_PLOT)
    wait_for_verdict(screen, session)


def show_one_arm_at_a_time(screen):
    """In a plot: A, B, and A again: each takes the other's color away."""

    def count(label):
        return len(pixels(screen, LIGHT.arm("A" if label == "A" else "B")))

    both = {label: count(label) for label in "AB"}
    screen.click(*IN_A_PLOT)
    screen.press("a")
    screen.wait(lambda: count("B") < both["B"] and count("A") > 0, "A does not hide B")
    card = count("B")
    screen.press("b")
    screen.wait(lambda: count("A") < both["A"] and count("B") > card, "B does not hide A")
    screen.click(*IN_A_PLOT)
    screen.press("a")
    screen.wait(lambda: count("B") <= card < count("A"), "A doesn't show in a plot")
