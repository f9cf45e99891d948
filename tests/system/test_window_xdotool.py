"""The program as a person starts it: a window on a screen, with real keys and a real mouse."""

import tomllib

import pytest
from tests.system.by_hand import (
    compare,
    export,
    family,
    pixels,
    program,
)
from tests.system.virtual_screen import PATIENCE_S, virtual_screen, why_not

from modelmon.core import load_model
from modelmon.gui.look.theme import LIGHT

pytestmark = [
    pytest.mark.system,
    pytest.mark.skipif(bool(why_not()), reason=why_not()),
]

SIZE = (1440, 900)
IN_A_PLOT = (600, 450)


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


def show_one_arm_at_a_time(screen):
    """A, B, and in a plot A again: each takes the other's color away."""

    def count(label):
        return len(pixels(screen, LIGHT.arm("A" if label == "A" else "B")))

    both = {label: count(label) for label in "AB"}
    screen.press("a")
    screen.wait(lambda: count("B") < both["B"] and count("A") > 0, "A does not hide B")
    card = count("B")
    screen.press("b")
    screen.wait(lambda: count("A") < both["A"] and count("B") > card, "B does not hide A")
    screen.click(*IN_A_PLOT)
    screen.press("a")
    screen.wait(lambda: count("B") <= card < count("A"), "A doesn't show in a plot")
