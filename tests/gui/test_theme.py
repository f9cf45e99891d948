from importlib import resources

import pytest
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QApplication, QLabel

from modelmon.gui.widgets.dialog import CommandList
from modelmon.gui.widgets.theme import DARK, LIGHT, font, style_sheet

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


def test_that_sizes_follow_the_users_font(theme_manager):
    assert "font-size: 24px" in style_sheet(LIGHT, 1.0)
    assert "font-size: 36px" in style_sheet(LIGHT, 1.5)
    theme_manager.scale = 2.0
    try:
        assert font(11).pixelSize() == 22
    finally:
        theme_manager.scale = 1.0


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


def test_that_asking_for_the_same_theme_again_says_nothing(qtbot, theme_manager):
    with qtbot.assertNotEmitted(theme_manager.changed):
        theme_manager.set_mode("light")


def test_that_a_mode_chosen_before_the_start_holds(theme_manager):
    theme_manager.set_mode("dark")
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    theme_manager.apply(app)
    assert theme_manager.theme is DARK
    assert app.palette().color(QPalette.ColorRole.Window) == DARK.window


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
