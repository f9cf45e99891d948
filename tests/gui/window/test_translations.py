"""The window's other languages are complete, and compiled from what they say."""

import re
import string
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
import window_texts
from PySide6.QtCore import QTranslator

import modelmon.resources
from modelmon.core.worker.run_warnings import MEANINGS
from modelmon.gui.language import said

FOLDER = Path(modelmon.resources.__path__[0]).resolve() / "translations"
LANGUAGES = sorted(path.stem for path in FOLDER.glob("modelmon_*.ts"))
UPDATE = "run `make translations`, translate what is new, and run it again"


def messages(language):
    """Text to translation of one language; unfinished ones are empty."""
    tree = ET.parse(FOLDER / f"{language}.ts")
    found = {}
    for message in tree.iter("message"):
        translation = message.find("translation")
        done = translation.get("type") is None
        found[message.findtext("source", "")] = (translation.text or "") if done else ""
    return found


def fields(text):
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def test_that_there_is_chinese():
    assert "modelmon_zh_CN" in LANGUAGES


@pytest.mark.parametrize("language", LANGUAGES)
def test_that_every_text_is_translated_and_none_that_is_gone(language):
    known, used = messages(language), {text.text for text in window_texts.translated()}
    assert {text for text in used if not known.get(text)} == set(), UPDATE
    assert set(known) <= used, UPDATE


@pytest.mark.parametrize("language", LANGUAGES)
def test_that_values_have_a_place_in_every_translation(language):
    for text, translation in messages(language).items():
        assert fields(text) == fields(translation), text


@pytest.mark.parametrize("language", LANGUAGES)
def test_that_no_translation_keeps_half_of_the_english(language):
    left = re.compile(r"(?<![\w/.-])(is|was|of|at|in|than|average)(?![\w/.-])")
    values = re.compile(r"\{[^}]*\}|`[^`]*`")
    for text, translation in messages(language).items():
        assert left.search(values.sub("", translation)) is None, text


@pytest.mark.parametrize("language", LANGUAGES)
def test_that_what_the_window_reads_was_compiled_from_this(language):
    translator = QTranslator()
    assert translator.load(str(FOLDER / f"{language}.qm"))
    stale = [
        text
        for text, translation in messages(language).items()
        if translator.translate("", text) != translation
    ]
    assert not stale, UPDATE


def test_that_the_window_leaves_out_flags_and_commands_of_the_terminal():
    for meaning in MEANINGS.values():
        assert not re.search("--[a-z]|modelmon [a-z]+ [A-Z-]", said(meaning.remedy))
    warned = MEANINGS["faster-than-probed"].remedy
    assert "modelmon doctor" in warned
    assert said(warned) == "Measure the disk again while nothing else uses it."


def test_that_all_text_of_the_window_is_translated():
    assert list(window_texts.untranslated()) == []
