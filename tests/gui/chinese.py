"""What `core` says, in Chinese, and what of it stayed English."""

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import modelmon.resources
from modelmon.core.messages import Message

_FILE = Path(modelmon.resources.__path__[0]) / "translations" / "modelmon_zh_CN.ts"
_TRANSLATIONS = {
    message.findtext("source", ""): message.findtext("translation", "")
    for message in ET.parse(_FILE).iter("message")
}
# Three lower-case words in a row are English; one or two may be a name and what it is set to.
_ENGLISH = re.compile(r"(?<![\w/.-])[a-z]{2,}(?:,? [a-z]{2,}){2,}(?![\w/.])")
_COMMANDS = re.compile(r"powerprofilesctl set balanced|git lfs pull|pip install [a-z -]+")


def in_chinese(text):
    """As the window shows it: text that is no message stays as it is."""
    if not isinstance(text, Message):
        return text
    return text.render(lambda template: _TRANSLATIONS.get(template, template))


def english_in(text):
    """What stays English of a text that `core` said, though it is not a name or a command."""
    left = _ENGLISH.search(_COMMANDS.sub("", in_chinese(_without_others_words(text))))
    return left.group() if left is not None else ""


def _without_others_words(text):
    """The message without what libraries and the system call the reason."""
    if not isinstance(text, Message):
        return text
    return Message(
        text.template,
        **{
            name: "…"
            if name == "reason" and not isinstance(value, Message)
            else _without_others_words(value)
            if isinstance(value, str)
            else value
            for name, value in text.args.items()
        },
    )
