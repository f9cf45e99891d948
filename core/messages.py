"""What is said to a person: a template and what goes into its places, never a finished sentence.

A template is an English literal with `{name}` places, and the key of its translations: lupdate
finds it as the first argument of `Message` (and of `HeaderFile.wrong`). A window renders it in the
reader's language; the terminal, the log and the documents for programs take the English of it.

On the wire and in the history a message is `{"template": ..., "args": {...}}`, or a plain string
where it has no words of ours. Whatever a stranger's recording gives as one can be shown: it has
no format specifications, unknown places stay as they are, and its length is bounded.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from modelmon.core.terminal_safe import one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    Arg = str | int | float
    """Text (a figure with its unit, a path, another message) or a plain number."""

MESSAGES = "MODELMON_MESSAGES"
"""The variable by which a command is asked for messages in what it prints as JSON, if TYPED."""
TYPED = "typed"

TERMINAL = "terminal"
"""The place of what only a terminal's reader can use, a command or an option: a window, which has
controls instead, leaves it empty.
"""

MOST_CHARACTERS = 20_000
"""Of a message as it is read: templates within templates could be made to grow without end."""

_PLACE = r"\{([a-z_][a-z0-9_]*)\}"
_VERBATIM = "{text}"


def _filled(template: str, args: Mapping[str, Arg]) -> str:
    # Most messages of a module are made when it is imported, and have nothing to fill in.
    if not args:
        return template
    return re.sub(_PLACE, lambda place: str(args.get(place[1], place[0])), template)


class Message(str):
    """English text that knows the template and the arguments that it was made of.

    It is a `str` so that whoever prints, compares or logs it need not know more of it. Text that
    is made of one by other means (an f-string, `+`) is a plain `str`, which stays English: put
    messages together by giving them as arguments to another one, or by `joined`.
    """

    template: str
    args: Mapping[str, Arg]

    def __new__(cls, template: str, /, **values: object) -> Message:
        """`template` is a literal. Quantities come as text with their unit (core/units.py);
        what is neither text nor a number (a path, an error of the system) becomes text. Whatever
        it quotes stays within its line.
        """
        args = {
            name: value if isinstance(value, Message | int | float) else one_line(str(value))
            for name, value in values.items()
        }
        self = super().__new__(cls, _filled(template, args))
        self.template = template
        self.args = args
        return self

    def __getnewargs_ex__(self) -> tuple[tuple[str], Mapping[str, Arg]]:
        return (self.template,), self.args

    def render(self, translate: Callable[[str], str]) -> str:
        """What a window shows: the template and those of its arguments as `translate` gives them,
        without what is for a TERMINAL.
        """
        args = {
            name: value.render(translate) if isinstance(value, Message) else value
            for name, value in self.args.items()
        } | {TERMINAL: ""}
        return _filled(translate(self.template) if self.template else "", args)


def changed(text: str, change: Callable[[str], str]) -> str:
    """The text gone through `change`; of a message, all that it was made of: it stays one."""
    if not isinstance(text, Message):
        return change(text)
    args = {
        name: changed(value, change) if isinstance(value, str) else value
        for name, value in text.args.items()
    }
    # What places are called stays, also where somebody is called so.
    parts = re.split(rf"({_PLACE.replace('(', '(?:')})", text.template)
    template = "".join(part if at % 2 else change(part) for at, part in enumerate(parts))
    return Message(template, **args)


def filled(message: Message, **figures: object) -> Message:
    """The message with those figures that it has places for, of all that might be said."""
    places = set(re.findall(_PLACE, message.template))
    own = {name: value for name, value in figures.items() if name in places}
    return Message(message.template, **{**message.args, **own}) if own else message


_NO_WORDS = ""
NOTHING = Message(_NO_WORDS)
"""For what is not said: no remedy, no reason."""


def verbatim(text: str) -> Message:
    """Text that nobody translates: a path, the words of a library or of the system."""
    return text if isinstance(text, Message) else Message(_VERBATIM, text=text)


def joined(parts: Iterable[str], separator: str = " ") -> Message:
    """Messages one after another: sentences with " ", parts of a list with ", " or "; ".

    `separator` is translated as `{first} {rest}` with it in between.
    """
    found = NOTHING
    for part in parts:
        template = f"{{first}}{separator}{{rest}}"
        found = Message(template, first=found, rest=part) if found else verbatim(part)
    return found


_SEPARATED = (
    # What `joined` makes, for lupdate to find.
    Message("{first} {rest}"),
    Message("{first}, {rest}"),
    Message("{first}; {rest}"),
    Message("{first}; above it {rest}"),
    Message("{first} and {rest}"),
    Message("{first} over {rest}"),
    Message("{first} or {rest}"),
)


def argument(text: str, name: str) -> Arg | None:
    """What went into a place of a message; None for text without that place."""
    return text.args.get(name) if isinstance(text, Message) else None


def packed(message: str) -> object:
    """A message as JSON: its template and arguments, or plain text where it has no others."""
    if not isinstance(message, Message):
        return message
    if message.template in ("", _VERBATIM):
        return str(message)
    args = {
        name: packed(value) if isinstance(value, str) else value
        for name, value in message.args.items()
    }
    return {"template": message.template, "args": args} if args else {"template": message.template}


def unpacked(value: object) -> Message:
    """The message that `packed` made this of. Raises TypeError or ValueError if it is none."""
    if isinstance(value, str):
        return verbatim(value) if value else NOTHING
    if not isinstance(value, dict):
        raise TypeError("a message is text, or a template and its arguments")
    template, args = value.get("template"), value.get("args", {})
    if not isinstance(template, str) or not isinstance(args, dict):
        raise TypeError("a message has a template and arguments")
    known = {
        name: each if isinstance(each, int | float) else unpacked(each)
        for name, each in args.items()
        if re.fullmatch(_PLACE, f"{{{name}}}")
    }
    longest = max((len(str(each)) for each in known.values()), default=0)
    places = len(re.findall(_PLACE, template))
    if len(template) + places * longest > MOST_CHARACTERS:
        raise ValueError(f"a message is longer than {MOST_CHARACTERS:,} characters")
    return Message(template, **known)


def to_wire(value: object) -> object:
    """msgspec's `enc_hook` where a message keeps its parts: between processes, in the history."""
    if isinstance(value, Message):
        return packed(value)
    raise NotImplementedError(f"{type(value).__name__} has no place on the wire")


def to_text(value: object) -> object:
    """msgspec's `enc_hook` for documents that programs read: a message is its English text."""
    if isinstance(value, Message):
        return str(value)
    raise NotImplementedError(f"{type(value).__name__} has no place in a document")


def from_wire(kind: type, value: object) -> object:
    """msgspec's `dec_hook`: reads what either of the two has written."""
    if kind is Message:
        return unpacked(value)
    raise NotImplementedError(f"{kind.__name__} has no place on the wire")
