"""A model on a server from the window, as a person does it: with real keys and a real mouse."""

import pytest
from tests.system import ssh_server, virtual_screen
from tests.system.by_hand import FEW_PIXELS, compare, export, pixels, program
from tests.system.virtual_screen import PATIENCE_S

from modelmon.core import load_model
from modelmon.gui.look.theme import LIGHT

why_not = virtual_screen.why_not() or ssh_server.why_not()
pytestmark = [
    pytest.mark.system,
    pytest.mark.long,
    pytest.mark.skipif(bool(why_not), reason=why_not),
]

SIZE = (1440, 900)
FROM_THE_CORNER = (64, 32)
"""Where the button is that a dialog ends with."""


@pytest.fixture
def screen(tmp_path):
    with virtual_screen.virtual_screen(tmp_path, SIZE) as made:
        yield made


@pytest.fixture
def server(tmp_path):
    folder = tmp_path / "server"
    folder.mkdir()
    with ssh_server.ssh_server(folder) as made:
        yield made


@pytest.mark.slow
def test_that_a_model_on_a_server_is_opened_compared_and_exported_with_keys_and_mouse(
    screen, server, own_copy, tmp_path
):
    target = tmp_path / "exported.toml"
    more = server.environment | {"SSH_ASKPASS_REQUIRE": "never"}
    with program(screen, tmp_path, more=more) as started:
        screen.window("^modelmon$")
        open_there(screen, f"{server.url}{own_copy.parent}", own_copy.name)
        title = f"{own_copy.stem}.* modelmon"
        screen.window(title)
        compare(screen, started.pid)
        # Nothing is measured here, and nothing is left there.
        screen.wait(lambda: not server.running(), "processes are left there")
        screen.window(title)
        screen.press("ctrl+e")
        export(screen, target)
        screen.window(title)
        screen.press("ctrl+q")
        assert started.wait(PATIENCE_S) == 0
    assert load_model(own_copy, target).config


def open_there(screen, folder, name):
    """Look for a model on a server, with keys but for the last click."""
    screen.press("ctrl+alt+o")
    dialog = screen.window("^Open on a server$")
    screen.press("ctrl+a")
    screen.type(folder)
    screen.press("Return")
    width, height = screen.size_of(dialog)
    before = len(pixels(screen, LIGHT.ink))
    # The button is a live one once the folder is listed.
    screen.wait(lambda: len(pixels(screen, LIGHT.ink)) > before + FEW_PIXELS, "nothing is listed")
    screen.type(name)
    screen.click(width - FROM_THE_CORNER[0], height - FROM_THE_CORNER[1], dialog)
    screen.wait(lambda: not screen.windows("^Open on a server$"), "the dialog stays")
