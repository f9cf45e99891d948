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
from modelmon.core.errors import EXIT_DONE, EXIT_USAGE

MODELMON = (sys.executable, "-P", "-m", "modelmon")


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "ZDOTDIR"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


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
        ("modelmon watch m -- vllm serve /mod", "6", ["file,/mod"]),
        ("modelmon launch m -- vllm serve /mod", "6", ["file,/mod"]),
        ("modelmon report /mod", "2", ["file,/mod"]),
        ("modelmon export 1 --for vllm,sg", "4", ["plain,vllm,sglang"]),
    ],
)
def test_that_words_are_completed_and_earlier_names_are_not(monkeypatch, capsys, words, at, found):
    asked = {VARIABLE: "bash_complete", "COMP_WORDS": words, "COMP_CWORD": at}
    for name, value in asked.items():
        monkeypatch.setenv(name, value)
    assert main([]) == EXIT_DONE
    assert capsys.readouterr().out.split() == found


@pytest.mark.parametrize(
    ("shell", "path"),
    [
        ("bash", ".local/share/bash-completion/completions/modelmon"),
        ("zsh", ".local/share/zsh/site-functions/_modelmon"),
        ("fish", ".config/fish/completions/modelmon.fish"),
    ],
)
def test_that_it_is_installed_once_and_for_the_user(home, capsys, monkeypatch, shell, path):
    monkeypatch.setenv("SHELL", f"/usr/bin/{shell}")
    assert main(["completion", "install"]) == EXIT_DONE
    assert f"Installed completion for {shell}: {home / path}" in capsys.readouterr().err
    written = (home / path).stat().st_mtime_ns
    assert main(["completion", "install"]) == EXIT_DONE
    assert "installed already" in capsys.readouterr().err
    assert (home / path).stat().st_mtime_ns == written
    assert [each for each in home.rglob("*") if each.is_file()] == [home / path]
    assert main(["completion", "show"]) == EXIT_DONE
    assert capsys.readouterr().out == (home / path).read_text()


def test_that_a_line_that_is_there_is_not_asked_for_again(home, capsys):
    assert main(["completion", "install", "--shell", "zsh"]) == EXIT_DONE
    line = capsys.readouterr().out
    assert line.startswith("fpath+=(")
    (home / ".zshrc").write_text(line)
    assert main(["completion", "install", "--shell", "zsh"]) == EXIT_DONE
    assert capsys.readouterr().out == ""


def test_that_another_shell_is_a_sentence(monkeypatch, capsys):
    monkeypatch.setenv("SHELL", "/bin/tcsh")
    assert main(["completion", "install"]) == EXIT_USAGE
    assert "Unsupported shell 'tcsh'" in capsys.readouterr().err


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
