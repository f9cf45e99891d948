import os
from functools import cache
from importlib import metadata

import pytest
from PySide6.QtCore import QEvent, QTranslator
from tests.gui import recordings as made_up

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from modelmon.core.load.libraries import baseline
from modelmon.gui.widgets.theme import manager


@pytest.fixture(scope="session")
def dressed_app(qapp):
    """The application dressed as the program dresses it."""
    manager().apply(qapp)
    return qapp


@pytest.fixture(autouse=True)
def theme_manager(dressed_app):
    """The themes: light, unless a test asks for another."""
    themes = manager()
    themes.set_mode("light")
    yield themes
    # Widgets of the test before would be styled again with every switch.
    dressed_app.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    themes.set_mode("light")


@pytest.fixture(autouse=True)
def _english_again(qapp):
    """Whatever language a test spoke, Qt's own texts included, the next one finds English."""
    yield
    for translator in qapp.findChildren(QTranslator):
        qapp.removeTranslator(translator)
        translator.deleteLater()


@pytest.fixture(scope="module", autouse=True)
def _looked_for_once():
    """What is installed stays so, and each window asks for it four times for each model."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(metadata, "version", cache(metadata.version))
        patch.setattr(baseline, "is_installed", cache(baseline.is_installed))
        yield


@pytest.fixture(scope="session")
def recordings():
    """The builder of made-up runs: `recordings.record(recordings.SLOW)`."""
    return made_up
