"""What Tab completes, and the man page: both are made of the commands themselves."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest

from modelmon.core.cli.completion import script
from modelmon.core.cli.main import GROUPS, VARIABLE, cli, main
from modelmon.core.cli.man_page import man_page
from modelmon.core.errors import EXIT_DONE

MODELMON = (sys.executable, "-P", "-m", "modelmon")


@pytest.mark.parametrize(
    ("words", "at", "found"),
    [
        ("modelmon comp", "1", ["plain,compare", "plain,completion"]),
        ("modelmon /mod", "1", ["file,/mod"]),
        ("modelmon tun", "1", ["file,tun"]),
        ("modelmon inspect /mod", "2", ["file,/mod"]),
        ("modelmon run m --cache wa", "4", ["plain,warm"]),
        ("modelmon best m --program llama-cp", "4", ["plain,llama-cpp-python"]),
        ("modelmon best m --time", "3", ["plain,--time-limit"]),
        ("modelmon best m --budg", "3", []),
        ("modelmon history sh", "2", ["plain,show"]),
    ],
)
def test_that_words_are_completed_and_earlier_names_are_not(monkeypatch, capsys, words, at, found):
    asked = {VARIABLE: "bash_complete", "COMP_WORDS": words, "COMP_CWORD": at}
    for name, value in asked.items():
        monkeypatch.setenv(name, value)
    assert main([]) == EXIT_DONE
    assert capsys.readouterr().out.split() == found


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_that_the_script_of_each_shell_asks_modelmon(capsys, shell):
    assert main(["completion", shell]) == EXIT_DONE
    printed = capsys.readouterr().out
    assert f"{VARIABLE}={shell}_complete" in printed


@pytest.mark.skipif(not shutil.which("bash"), reason="there is no bash")
def test_that_bash_completes_by_the_script(tmp_path):
    """The window stays closed although there are no arguments."""
    own = tmp_path / "modelmon"
    own.write_text(f'#!/bin/sh\nexec {" ".join(MODELMON)} "$@"\n')
    own.chmod(0o755)
    (tmp_path / "script").write_text(script("bash"))
    asking = (
        "source ./script; COMP_WORDS=(modelmon hist); COMP_CWORD=1;"
        ' _modelmon_completion modelmon; echo "${COMPREPLY[@]}"'
    )
    path = os.pathsep.join((str(tmp_path), os.environ["PATH"]))
    done = subprocess.run(
        ["bash", "-c", asking],
        cwd=tmp_path,
        env=os.environ | {"PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == "history\n", done.stderr


def test_that_the_man_page_has_every_command_and_option():
    page = man_page()
    context = click.Context(cli, info_name="modelmon", **cli.context_settings)
    for name in (name for names in GROUPS.values() for name in names):
        assert f"\n.SS modelmon {name}\n" in page
        for option in cli.get_command(context, name).params:
            if isinstance(option, click.Option):
                assert option.opts[0].replace("-", "\\-") in page
    assert "budget" not in page
    assert all(ord(letter) < 128 for letter in page)


@pytest.mark.skipif(not shutil.which("groff"), reason="there is no groff")
def test_that_the_man_page_is_without_mistakes(tmp_path):
    path = Path(tmp_path / "modelmon.1")
    path.write_text(man_page())
    done = subprocess.run(
        ["groff", "-man", "-ww", "-Tascii", path], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0
    assert done.stderr == ""
    assert "modelmon - see why a model loads slowly" in done.stdout
