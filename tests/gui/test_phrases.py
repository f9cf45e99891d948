from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modelmon.gui.phrases import Phrases

if TYPE_CHECKING:
    from pathlib import Path

GERMAN = Phrases(
    [
        ("Close it.", "Schließe es."),
        ("waits {0} of the time", "wartet {0} der Zeit"),
        ("{0} instead of {1}.", "{0} statt {1}."),
        ("{0} loads {1} times as fast as {2}: {3} instead of {4}.", "{2} : {0} = {1}, {3}/{4}."),
        ("{0} {1}.", "{0}: {1}!"),
        ("{0:n} of {1:n}", "{0} von {1}"),
        ("({0})", "[{0}]"),
        ("memory", "Speicher"),
        (", ", " und "),
    ]
)


@pytest.mark.parametrize(
    ("english", "german"),
    [
        ("Close it.", "Schließe es."),
        ("waits 40 % of the time", "wartet 40 % der Zeit"),
        ("B loads 1.5 times as fast as A: 1 s instead of 2 s.", "A : B = 1.5, 1 s/2 s."),
        ("A waits 40 % of the time.", "A: wartet 40 % der Zeit!"),
        ("1 s instead of 2 s. Close it.", "1 s statt 2 s.Schließe es."),
        ("1 GB of 2 GB", "1 GB von 2 GB"),
        ("House of Cards", "House of Cards"),
        ("x, 1.5 of 8, memory", "x und 1.5 von 8 und Speicher"),
        ("x, y", "x, y"),
        ("Close it. (memory)", "Schließe es.[Speicher]"),
        ("Close it. (memory) Close it.", "Schließe es.[Speicher]Schließe es."),
        ("x (7, y), memory", "x (7, y) und Speicher"),
        ("memory\nx", "Speicher\nx"),
        ("3.07 GB/s", "3.07 GB/s"),
        ("", ""),
    ],
)
def test_that_a_sentence_is_known_by_its_form(english: str, german: str) -> None:
    assert GERMAN.translate(english) == german


def test_that_sentences_without_a_form_stay_as_they_are() -> None:
    only = Phrases([("Close it.", "Schließe es.")])
    assert only.translate("Something else. Close it.") == "Something else. Schließe es."
    assert only.translate("Something else. And more.") == "Something else. And more."


@given(st.text())
def test_that_any_text_comes_back_as_text(text: str) -> None:
    assert isinstance(GERMAN.translate(text), str)
    assert Phrases([]).translate(text) == text


def test_that_unfinished_translations_are_left_out(tmp_path: Path) -> None:
    file = tmp_path / "some.ts"
    file.write_text(
        '<?xml version="1.0"?><TS version="2.1"><context><name></name>'
        "<message><source>One.</source><translation>Eins.</translation></message>"
        '<message><source>Two.</source><translation type="unfinished"></translation></message>'
        "</context></TS>"
    )
    phrases = Phrases.read(file)
    assert phrases.translate("One. Two.") == "Eins.Two."


def test_that_places_must_be_numbered_in_order() -> None:
    with pytest.raises(ValueError, match="numbered"):
        Phrases([("{1} of {0}.", "x")])
