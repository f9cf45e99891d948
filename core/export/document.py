"""Advice for several consumers as one text: plain, shell, env, TOML, YAML or JSON."""

from __future__ import annotations

import json
import shlex
import sys
from typing import TYPE_CHECKING, Any, Literal

import msgspec
import tomlkit

from modelmon.core.messages import to_text
from modelmon.core.programs.modelmon import OWN, modelmon_toml
from modelmon.core.terminal_safe import CONTROLS, without_controls

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from modelmon.core.programs.advice import ConsumerAdvice, Form, Language
    from modelmon.core.programs.outcome import Outcome

Format = Literal["text", "toml", "shell", "env", "yaml", "json"]
SUFFIXES: dict[str, Format] = {
    ".toml": "toml",
    ".sh": "shell",
    ".env": "env",
    ".yaml": "yaml",
    ".yml": "yaml",
    ".json": "json",
}
SCHEMA = 1


def document(found: Outcome, said: Sequence[ConsumerAdvice], as_format: Format) -> str:
    """All of it in one text; raises ModelmonError where there is no modelmon.toml.

    A shell takes commands and exported variables, an env file variables alone; what a consumer has
    in other forms only is left as a comment that says so. A path steers no terminal.
    """
    return without_controls(_written(found, said, as_format))


def _written(found: Outcome, said: Sequence[ConsumerAdvice], as_format: Format) -> str:
    match as_format:
        case "json":
            text = json.dumps(_tree(said), indent=2, ensure_ascii=False) + "\n"
            return CONTROLS.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
        case "yaml":
            return _yaml(_tree(said))
        case "toml":
            return _toml(found, said)
        case "shell":
            return "\n".join(_as_code(each, ("shell", "env")) for each in said)
        case "env":
            return "\n".join(_as_code(each, ("env",)) for each in said)
        case "text":
            return "\n".join(map(_as_text, said))


def _tree(said: Sequence[ConsumerAdvice]) -> Any:
    plain = msgspec.to_builtins(said, enc_hook=to_text)
    return {"schema": SCHEMA, "kind": "export", "consumers": list(plain)}


def _yaml(tree: Any) -> str:
    import yaml  # noqa: PLC0415  for this format alone

    text: str = yaml.safe_dump(tree, sort_keys=False, width=sys.maxsize)
    return text


def _toml(found: Outcome, said: Sequence[ConsumerAdvice]) -> str:
    whole = tomlkit.parse(modelmon_toml(found))
    consumers = tomlkit.table(is_super_table=True)
    for each in said:
        if each.consumer != OWN:
            consumers[each.consumer] = msgspec.to_builtins(each, enc_hook=to_text)
    if consumers:
        whole["consumers"] = consumers
    return tomlkit.dumps(whole)


def _as_code(said: ConsumerAdvice, languages: tuple[Language, ...]) -> str:
    lines = [f"# {each}" for each in _sentences(said)]
    # Of several forms the first is meant, as the dialog shows it.
    form = next(
        (each for language in languages for each in said.forms if each.language == language), None
    )
    if form is None and said.forms:
        others = ", ".join(dict.fromkeys(str(each.label) for each in said.forms))
        lines.append(f"# Not in this format; there is: {others}.")
    code = _for_shell(form, languages) if form is not None else ""
    return "".join(f"{line}\n" for line in lines) + code


def _for_shell(form: Form, languages: tuple[Language, ...]) -> str:
    if form.language == "shell" or "shell" not in languages:
        return form.text
    pairs = (line.partition("=") for line in form.text.splitlines())
    return "".join(f"export {name}={shlex.quote(value)}\n" for name, _, value in pairs)


def _as_text(said: ConsumerAdvice) -> str:
    lines = list(_sentences(said))
    for form in said.forms:
        lines += ["", f"{form.label}:", *(f"    {line}" for line in form.text.splitlines())]
    return "".join(f"{line.rstrip()}\n" for line in lines)


def _sentences(said: ConsumerAdvice) -> Iterator[str]:
    """What is said of it, each in a line."""
    standing = {"measured": "Measured here, ", "mapped": "Nearest setting: ", "cannot": ""}
    setting = f"{standing[said.standing]}{_line(said.summary)}"
    if said.is_default:
        setting = f"Nothing to change: {_line(said.summary)} is the default"
    yield f"{said.title}: {setting}"
    for name, text in said.facts():
        yield f"{name}: {_line(text)}"


def _line(text: str) -> str:
    """Paths may have line ends, and a comment is one line."""
    return " ".join(text.split())
