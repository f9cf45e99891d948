"""Messages stay what they are on every way that they take, whoever made them."""

from __future__ import annotations

import copy
import json

import msgspec
import pytest

from modelmon.core.messages import (
    MOST_CHARACTERS,
    Message,
    from_wire,
    joined,
    packed,
    to_text,
    to_wire,
    unpacked,
    verbatim,
)

GERMAN = {
    "{path} is in use by {program}.": "{program} benutzt {path}.",
    "process {pid}": "Prozess {pid}",
    "{first}, {rest}": "{first} und {rest}",
}
USED = Message(
    "{path} is in use by {program}.", path="a.gguf", program=Message("process {pid}", pid=7)
)


def german(template):
    return GERMAN.get(template, template)


def test_that_a_message_is_english_text_and_is_rendered_with_its_arguments():
    assert USED == "a.gguf is in use by process 7."
    assert USED.render(german) == "Prozess 7 benutzt a.gguf."


def test_that_what_goes_into_a_place_is_no_template():
    assert Message("{path} is gone.", path="{name}").render(german) == "{name} is gone."


def test_that_a_window_shows_nothing_of_what_is_for_the_terminal():
    inner = Message("Measure it{terminal}.", terminal=": modelmon doctor")
    message = joined([inner, Message("Wait.")])
    assert message == "Measure it: modelmon doctor. Wait."
    assert unpacked(packed(message)).render(german) == "Measure it. Wait."


def test_that_lists_are_put_together_in_each_language():
    parts = [Message("process {pid}", pid=pid) for pid in (1, 2, 3)]
    assert joined(parts, ", ") == "process 1, process 2, process 3"
    assert joined(parts, ", ").render(german) == "Prozess 1 und Prozess 2 und Prozess 3"
    assert joined([]) == ""


class Told(msgspec.Struct):
    text: Message


@pytest.mark.parametrize("message", [USED, Message("Done."), verbatim("No such file"), Message("")])
def test_that_the_wire_keeps_a_message_and_a_document_its_text(message):
    line = msgspec.json.encode(Told(message), enc_hook=to_wire)
    found = msgspec.json.decode(line, type=Told, dec_hook=from_wire).text
    assert (found, found.render(german)) == (message, message.render(german))
    document = msgspec.json.encode(Told(message), enc_hook=to_text)
    assert json.loads(document) == {"text": str(message)}
    assert msgspec.json.decode(document, type=Told, dec_hook=from_wire).text == message
    assert copy.deepcopy(message).render(german) == message.render(german)


@pytest.mark.parametrize(
    "packed_text",
    [
        "7",
        '{"template": 7}',
        '{"template": "{a}", "args": []}',
        '{"template": "{a}", "args": {"a": null}}',
        json.dumps({"template": "{a}" * 10_000, "args": {"a": "aaa"}}),
    ],
)
def test_that_what_is_no_message_is_refused_as_any_other_wrong_value(packed_text):
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(f'{{"text": {packed_text}}}', type=Told, dec_hook=from_wire)


def test_that_a_strangers_template_neither_computes_nor_grows_without_end():
    strange = "{a.__class__} {a:>999999999} {b} {} {0} { {a}"
    assert unpacked({"template": strange, "args": {"a": "x"}}) == strange.replace("{a}", "x")
    message = verbatim("a long text")
    with pytest.raises(ValueError, match="longer"):  # noqa: PT012  which of them does not matter
        for _ in range(40):
            message = unpacked({"template": "{a}{a}", "args": {"a": packed(message)}})
            assert len(message) <= MOST_CHARACTERS
