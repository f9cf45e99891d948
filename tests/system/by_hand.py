"""What a person does with the program on a screen, with real keys and a real mouse."""

import os
import subprocess
from contextlib import contextmanager, suppress

import psutil
from tests.system.commands import MODELMON

from modelmon.gui.session.settings import Settings
from modelmon.gui.widgets.theme import LIGHT

TOOLBAR_PX = 100
FEW_PIXELS = 300


@contextmanager
def program(screen, folder, *models, more=None):
    """The program in a session of its own, with settings and history of its own, and `more` of the
    environment.
    """
    settings = Settings(folder / "config" / "modelmon" / "window.ini")
    settings.mode, settings.language, settings.repeats = "light", "en", 1
    settings.toured = True
    settings.save()
    own = {"XDG_CONFIG_HOME": str(folder / "config"), "MODELMON_DATA_DIR": str(folder / "data")}
    environment = (
        os.environ | own | dict(more or {}) | {"DISPLAY": screen.display, "QT_QPA_PLATFORM": "xcb"}
    )
    command = [*MODELMON, *map(str, models)]
    with subprocess.Popen(command, env=environment, start_new_session=True) as started:
        try:
            yield started
        finally:
            started.kill()


def family(session):
    """The processes of a session that are there."""
    found = []
    for process in psutil.process_iter():
        try:
            ended = process.status() == psutil.STATUS_ZOMBIE
            if os.getsid(process.pid) == session and not ended:
                found.append(process)
        except (ProcessLookupError, psutil.NoSuchProcess):
            continue
    return found


def pixels(screen, colour):
    """Where that colour is seen below the toolbar."""
    places = screen.places_of(colour.rgb() & 0xFFFFFF)
    return places[places[:, 0] > TOOLBAR_PX]


def do_by_name(screen, name):
    """With the command palette."""
    screen.press("ctrl+k")
    screen.window("^Commands and keys$")
    screen.type(name)
    screen.press("Return")
    screen.wait(lambda: not screen.windows("^Commands and keys$"), "the palette stays")


def compare(screen, session):
    """Press F5, see workers come and go, and the verdict with its button."""

    def loading():
        screen.press("F5")
        return has_worker(session)

    screen.wait(loading, "F5 starts no worker")
    wait_for_verdict(screen, session)


def has_worker(session):
    """Whether a worker of the program runs."""
    for process in family(session):
        with suppress(psutil.NoSuchProcess):
            if "modelmon.core.worker" in process.cmdline():
                return True
    return False


def wait_for_verdict(screen, session):
    """Until a verdict's button is seen, and no worker is left."""
    screen.wait(lambda: len(pixels(screen, LIGHT.ink)) > FEW_PIXELS, "no verdict is seen")
    screen.wait(lambda: len(family(session)) == 1, "workers are left")


def export(screen, target):
    """Type a path into the field at the foot of the dialog, and save."""
    dialog = screen.window("^Export$")
    width, height = screen.size_of(dialog)
    screen.click(width // 3, height - 32, dialog)
    screen.press("ctrl+a")
    screen.type(str(target))
    screen.press("Return")
    screen.wait(target.exists, "nothing was exported")
    screen.wait(lambda: not screen.windows("^Export$"), "the dialog stays")
