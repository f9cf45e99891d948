"""What a shell there, a terminal here, and a decoder make of names that mean them harm."""

import json
import shutil
import subprocess

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from modelmon.core.remote import ssh
from modelmon.core.remote.connection import (
    COPY,
    LOOK,
    REMOVE,
    RUN,
    copy_name,
    our_kind,
    script_line,
)
from modelmon.core.remote.ssh import as_word, shell_line, ssh_command, words_of
from modelmon.core.terminal_safe import harmless, plain, without_controls

_SHELLS = ("sh", "bash", "dash", "zsh", "fish", "ksh", "csh", "tcsh")
SHELLS = [path for name in _SHELLS if (path := shutil.which(name))]
HOSTILE = (
    "'; touch pwned; '",
    "$(touch pwned)",
    "`touch pwned`",
    "-oProxyCommand=touch pwned",
    "a\nb",
    '"\\',
    "!!",
    "~/x",
    "*",
    "\udcff",
)
NAMES = st.text(max_size=60) | st.sampled_from(HOSTILE)
SPACES = st.sampled_from((b"", b" ", b"\t", b"\n", b" \t"))


@given(st.lists(NAMES, max_size=4))
@example(list(HOSTILE))
def test_that_what_is_asked_of_a_server_has_no_letter_that_a_shell_reads(names):
    word = as_word(names)
    assert set(word) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=")
    assert words_of(word) == names


@pytest.mark.parametrize("shell", SHELLS)
@settings(max_examples=20)
@given(name=NAMES)
def test_that_a_name_comes_through_a_shell_as_it_is(shell, name, tmp_path):
    line = shell_line('printf %s "$1"', as_word([name]))
    done = subprocess.run([shell, "-c", line], capture_output=True, cwd=tmp_path, check=True)
    assert words_of(done.stdout.decode()) == [name]
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("word", [*HOSTILE, "", "a b", "é"])
def test_that_no_other_word_is_given_to_a_shell(word):
    with pytest.raises(ValueError, match="shell"):
        shell_line("true", word)


@pytest.mark.parametrize("script", ["echo 'a'", "a\\b", "a!", "a\nb"])
def test_that_no_script_means_two_things(script):
    with pytest.raises(ValueError, match="another shell"):
        shell_line(script)


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize(
    "line",
    [script_line(RUN, "x"), script_line(LOOK), script_line(COPY, our_kind()), script_line(REMOVE)],
)
def test_that_every_script_is_one_to_each_shell(shell, line):
    subprocess.run([shell, "-n", "-c", line], check=True)


def test_that_ssh_takes_nothing_for_an_option():
    command = ssh_command("ssh://me@gpu:2222", "true", asks=False)
    assert command[-3:] == ["--", "gpu", "true"]
    assert command[command.index("-l") + 1] == "me"
    assert command[command.index("-p") + 1] == "2222"


def test_that_each_client_asks_for_itself_where_none_can_share(monkeypatch):
    """Windows' OpenSSH refuses ControlMaster."""
    monkeypatch.setattr(ssh, "SHARES", False)
    assert ssh.may_ask()
    assert not any("Control" in word for word in ssh_command("ssh://gpu", "true", asks=True))


@given(st.text(), SPACES)
@example("\x1b[2J\x1b]0;title\x07\r\x08\x9b31m\u202e", b"")
@example("\x1b[2J", b" ")
def test_that_nothing_decoded_steers_a_terminal(text, before):
    for ascii_only in (True, False):
        told = json.dumps({"name": text}, ensure_ascii=ascii_only)
        line = before + told.encode(errors="surrogatepass")
        try:
            name = msgspec.json.decode(harmless(line))["name"]
        except msgspec.DecodeError:
            continue  # lone surrogates are no text
        assert name == without_controls(text)
        assert name == without_controls(name)


@given(st.binary())
def test_that_nothing_printed_steers_a_terminal(line):
    shown = harmless(b"." + line).decode("utf-8", "replace")
    assert shown == without_controls(shown)


def test_that_text_that_never_ends_takes_no_longer_than_its_length():
    """A megabyte would take hours otherwise."""
    line = b'{"a": 111111111111111111111, "' + b'\\"' * 500_000
    assert harmless(line) == line.replace(b"111111111111111111111", b"null")


def test_that_the_name_of_a_copy_is_a_plain_word():
    assert copy_name() == copy_name()
    assert set(copy_name()) <= set("0123456789abcdef.-")


@given(
    st.recursive(
        st.none()
        | st.booleans()
        | st.text()
        | st.integers()
        | st.floats(allow_nan=False, allow_infinity=False),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
        max_leaves=8,
    ),
    SPACES,
)
@example(10**400, b"")
@example(10**400, b"\t")
@example(-(10**20), b"")
@example(1e300, b"")
@example("1" * 400 + '\\"e999', b"")
@example("0123456789abcdef" * 4, b"")
@example(2**63, b"")
def test_that_a_number_is_none_that_nothing_can_compute_with(value, before):
    line = before + json.dumps([value]).encode()
    assert json.loads(harmless(line)) == [without_numbers(value)]


def without_numbers(value):
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int | float):
        return value if abs(float(value) if abs(value) < 10**300 else 1e999) <= 2.0**64 else None
    if isinstance(value, str):
        return without_controls(value)
    if isinstance(value, list):
        return [without_numbers(each) for each in value]
    assert isinstance(value, dict)
    return {without_controls(name): without_numbers(each) for name, each in value.items()}


def test_that_colors_of_a_program_leave_its_words():
    said = "\x1b[1;32mloading\x1b[0m \x1b]0;title\x07weights\x1b(B\x1b[m\x08"
    assert plain(said) == "loading weights\ufffd"
