"""Colours that everybody can tell apart, style sheets and icons."""

from importlib import resources
from itertools import combinations
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QIcon, QPalette
from PySide6.QtWidgets import QApplication, QLabel, QPushButton

from modelmon.gui.widgets.dialog import CommandList
from modelmon.gui.widgets.theme import DARK, LIGHT, app_icon, font, icon, set_icon, style_sheet

BOTH = pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)


def _luminance(colour):
    """Relative luminance, WCAG 2.2."""

    def linear(channel):
        return channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4

    red, green, blue = (linear(part) for part in colour.getRgbF()[:3])
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@BOTH
def test_that_all_text_is_legible_on_its_grounds(theme):
    plain = (theme.window, theme.panel, theme.raised, theme.hover)
    softs = (theme.a_soft, theme.b_soft, theme.focus_soft)
    states = (theme.good_soft, theme.warn_soft, theme.bad_soft)
    roles = (theme.text, theme.text_2, theme.a, theme.b, theme.focus)
    tones = (theme.good, theme.warn, theme.bad, theme.neutral_1)
    pairs = [(role, mount) for role in roles + tones for mount in plain + softs + states]
    pairs += [
        (theme.ink_text, theme.ink),
        (theme.ink_text, theme.neutral_1),
        *((theme.on_fill, fill) for fill in (theme.a, theme.b, theme.focus, theme.bad)),
        *((theme.on_fill, theme.neutral_1), (theme.text, theme.border)),
    ]
    too_faint = [
        (text.name(), mount.name(), round(contrast(text, mount), 2))
        for text, mount in pairs
        if contrast(text, mount) < 4.5
    ]
    assert not too_faint


@BOTH
def test_that_outlines_of_controls_stand_out(theme):
    for outline in (theme.control, theme.focus, theme.a, theme.b, theme.bad, *theme.overlays):
        assert contrast(outline, theme.panel) >= 3.0


@BOTH
def test_that_the_style_sheet_leaves_no_name_open(theme):
    sheet = style_sheet(theme)
    assert "$" not in sheet
    assert theme.a.name() in sheet
    assert theme.focus_soft.name() in sheet


def test_that_a_switch_reaches_palette_style_sheet_and_listeners(qtbot, theme_manager):
    card = QLabel("8.28 s")
    card.setProperty("role", "card")
    qtbot.addWidget(card)
    card.resize(80, 40)
    assert card.grab().toImage().pixelColor(70, 5) == LIGHT.panel
    with qtbot.waitSignal(theme_manager.changed):
        theme_manager.set_mode("dark")
    assert theme_manager.theme is DARK
    assert QApplication.palette().color(QPalette.ColorRole.Window) == DARK.window
    assert card.grab().toImage().pixelColor(70, 5) == DARK.panel


def test_that_what_is_built_without_a_style_sheet_has_it_in_the_end(qtbot, theme_manager):
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    with theme_manager.building(app):
        card = QLabel("8.28 s")
        card.setProperty("role", "card")
        assert not app.styleSheet()
    qtbot.addWidget(card)
    card.resize(80, 40)

    assert card.grab().toImage().pixelColor(70, 5) == LIGHT.panel


def test_that_a_mode_holds_from_before_the_start_and_sizes_follow_the_font(theme_manager):
    theme_manager.set_mode("dark")
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    theme_manager.apply(app)
    assert theme_manager.theme is DARK
    assert app.palette().color(QPalette.ColorRole.Window) == DARK.window
    assert "font-size: 24px" in style_sheet(LIGHT, 1.0)
    assert "font-size: 36px" in style_sheet(LIGHT, 1.5)
    theme_manager.scale = 2.0
    try:
        assert font(11).pixelSize() == 22
    finally:
        theme_manager.scale = 1.0


@BOTH
def test_that_the_style_sheets_drawings_have_its_colours(theme):
    colours = {
        "chevron": theme.text_2,
        "chevron-up": theme.text_2,
        "check": theme.on_fill,
    }
    for name, colour in colours.items():
        path = resources.files("modelmon.resources") / "themes" / f"{name}-{theme.name}.svg"
        assert colour.name().upper() in path.read_text("utf-8")
        assert f"theme:{name}-{theme.name}.svg" in style_sheet(theme)


def test_that_a_list_of_commands_follows_the_theme(qtbot, theme_manager):
    commands = CommandList()
    qtbot.addWidget(commands)
    commands.show_commands([("default", "What the program does by default.", "program")])
    for mode, theme in (("dark", DARK), ("light", LIGHT)):
        theme_manager.set_mode(mode)
        cursor = commands.document().find("What")
        assert cursor.charFormat().foreground().color() == theme.text_2


# Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color Vision
# Deficiency", 2009: what is seen of linear red, green and blue, at full severity.
EYES = {
    "all cones": "1 0 0 0 1 0 0 0 1",
    "no long cones": "0.1523 1.0526 -0.2049 0.1145 0.7863 0.0992 -0.0039 -0.0481 1.0520",
    "no medium cones": "0.3673 0.8606 -0.2280 0.2801 0.6725 0.0474 -0.0118 0.0429 0.9689",
    "no short cones": "1.2555 -0.0767 -0.1788 -0.0784 0.9308 0.1476 0.0047 0.6914 0.3039",
}
TO_XYZ = np.array(
    [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
) / np.array([[0.95047], [1.0], [1.08883]])
# CIE 1976 distances: 2.3 can just be noticed side by side; thin lines apart need several times it.
ARMS_APART = 50.0
RUNS_APART = 15.0


def seen(colour, eye):
    """L*, a* and b* of a colour as an eye sees it."""
    channels = np.array(colour.getRgbF()[:3])
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    x, y, z = TO_XYZ @ np.clip(np.array(EYES[eye].split(), float).reshape(3, 3) @ linear, 0.0, 1.0)
    fx, fy, fz = (np.cbrt(v) if v > 0.008856 else 7.787 * v + 16 / 116 for v in (x, y, z))
    return np.array([116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)])


def apart(one, other, eye):
    return float(np.linalg.norm(seen(one, eye) - seen(other, eye)))


@pytest.mark.parametrize("eye", EYES)
@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_that_arms_and_further_runs_are_told_apart_by_colour(theme, eye):
    assert apart(theme.a, theme.b, eye) >= ARMS_APART
    close = [
        (one.name(), other.name(), round(apart(one, other, eye), 1))
        for one, other in combinations(theme.overlays, 2)
        if apart(one, other, eye) < RUNS_APART
    ]
    assert close == []


DRAWINGS = resources.files("modelmon.resources") / "icons"
NAMES = sorted({file.name.removesuffix(".svg") for file in DRAWINGS.iterdir()} - {"app"})
SIZE = QSize(16, 16)


def _image(made, ratio=1.0, mode=QIcon.Mode.Normal):
    return made.pixmap(SIZE, ratio, mode).toImage()


def _colours(image):
    """The colours of its fully covered pixels."""
    pixels = [image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height())]
    return {pixel.name() for pixel in pixels if pixel.alpha() == 255}


@pytest.mark.parametrize("name", NAMES)
def test_that_each_icon_is_drawn_in_the_text_colour(name):
    # Twice the size: at 16 px some drawings have no pixel that is covered wholly.
    assert _colours(_image(icon(name), ratio=2.0)) == {LIGHT.text.name()}
    assert _image(icon(name), ratio=2.0).size() == QSize(32, 32)


@pytest.mark.parametrize("name", NAMES)
def test_that_each_drawing_keeps_to_one_grid_and_one_colour(name):
    root = ET.fromstring((DRAWINGS / f"{name}.svg").read_text("utf-8"))
    assert root.get("viewBox") == "0 0 16 16"
    paints = {part.get(key) for part in root.iter() for key in ("fill", "stroke")}
    assert paints <= {"currentColor", "none", None}


def test_that_icons_are_grey_of_many_sizes_and_retinted(qtbot, theme_manager):
    assert _colours(_image(icon("run"), 2.0, QIcon.Mode.Disabled)) == {LIGHT.neutral_2.name()}
    sizes = {size.width() for size in app_icon().availableSizes()}
    assert {16, 48, 256} <= sizes
    plain, primary = QPushButton(), QPushButton()
    for button, name, role in ((plain, "maximise", "text"), (primary, "run", "ink_text")):
        qtbot.addWidget(button)
        set_icon(button, name, role)
    set_icon(plain, "run")
    theme_manager.set_mode("dark")
    assert _image(plain.icon()) == _image(icon("run"))
    assert _colours(_image(plain.icon())) == {DARK.text.name()}
    assert _colours(_image(primary.icon())) == {DARK.ink_text.name()}
