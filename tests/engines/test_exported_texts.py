"""What is exported for a program, or a part of the system, handed to it as it is: it takes it."""

import os
import re
import shlex
import shutil
import subprocess
import textwrap
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.core.export.outcomes import comparison_of, situation
from tests.engines.real_programs import PYTHON, needs_package

from modelmon.core.programs.registry import advice

LIKE_EACH_TEXT = ("mmap", "sequential", "parallel")
"""Strategies that give every text there is for a library: mapped or not, one reader or several."""


def forms(consumer, strategy, path):
    (said,) = advice(situation(comparison_of(strategy, str(path))), [consumer])
    return said.forms


def run(code, variables):
    """What Python code of an export prints, in the environment of the program."""
    assert PYTHON is not None
    done = subprocess.run(
        [PYTHON, "-c", code],
        env={**os.environ, **variables},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def variables_of(given):
    lines = [line for form in given if form.language == "env" for line in form.text.splitlines()]
    return dict(line.split("=", 1) for line in lines)


@pytest.mark.parametrize("strategy", LIKE_EACH_TEXT)
@pytest.mark.parametrize("consumer", ["transformers", "diffusers"])
def test_that_the_library_loads_with_what_is_exported_for_it(consumer, strategy, request):
    needs_package(consumer)
    folder = request.getfixturevalue(consumer)
    given = forms(consumer, strategy, folder)
    code = given[0].text + "print(sum(each.numel() for each in model.state_dict().values()))"
    assert int(run(code, variables_of(given))) > 0


@pytest.mark.parametrize("consumer", ["transformers", "diffusers"])
@pytest.mark.parametrize("variant", ["", ".fp16"])
def test_that_the_library_loads_the_variant_that_was_opened_and_no_other_file(
    consumer, variant, request, tmp_path
):
    needs_package(consumer)
    folder = request.getfixturevalue(consumer)
    (weights,) = folder.glob("*.safetensors")
    plain, other = tmp_path / weights.name, tmp_path / f"{weights.stem}.fp16.safetensors"
    shutil.copy(folder / "config.json", tmp_path)
    shutil.copy(weights, plain)
    # All its values are zero.
    raw = weights.read_bytes()
    start = 8 + int.from_bytes(raw[:8], "little")
    other.write_bytes(raw[:start] + bytes(len(raw) - start))
    (tmp_path / "consolidated.safetensors").write_bytes(b"not a model")
    given = forms(consumer, "mmap", other if variant else plain)
    code = given[0].text + "print(any(each.any() for each in model.state_dict().values()))"
    assert run(code, variables_of(given)).split()[-1] == str(not variant)


def test_that_the_pipeline_that_is_named_for_single_files_takes_them():
    """Real ones are large: that it looks for the file is as far as this goes."""
    needs_package("diffusers")
    (form,) = forms("diffusers", "direct", Path("/no model.safetensors"))
    tried = textwrap.indent(form.text, "    ")
    code = f"try:\n{tried}except (OSError, ValueError) as error:\n    print('refused', error)"
    assert run(code, {}).startswith("refused")


@pytest.mark.parametrize("strategy", LIKE_EACH_TEXT)
def test_that_safetensors_loads_for_torch_with_what_is_exported(strategy, safetensors):
    needs_package("torch")
    form = forms("safetensors", strategy, safetensors)[0]
    assert int(run(form.text + "print(len(tensors))", {})) > 0


@pytest.mark.parametrize("strategy", ["mmap", "sequential", "direct"])
def test_that_llama_cpp_knows_the_options_that_are_exported(strategy, gguf):
    """By its own parser where it is on the PATH, else by the names in xllamacpp's."""
    command, variables, _ = forms("llama.cpp", strategy, gguf)
    *_, option, mode = command.text.split()
    if server := shutil.which("llama-server"):
        subprocess.run([server, option, mode, "--version"], check=True, capture_output=True)
        return
    needs_package("xllamacpp")
    assert PYTHON is not None
    code = "import xllamacpp as x; print(x.xllamacpp.__file__, *dir(x.llama_load_mode))"
    compiled, *known = run(code, {}).split()
    names = Path(compiled).read_bytes()
    assert b"\0" + option.encode() + b"\0" in names
    (variable,) = variables_of((variables,))
    assert variable.encode() in names
    constant = "DIRECT_IO" if mode == "dio" else mode.upper()
    assert f"LLAMA_LOAD_MODE_{constant}" in known


STREAMS_SINCE = (1, 68)
CONTENT = b"weights"


def advised(consumer, strategy, mount):
    (said,) = advice(situation(comparison_of(strategy), mount), [consumer])
    return said


def said_by(*command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


def needs(program):
    if not shutil.which(program):
        pytest.skip(f"{program} isn't installed")


def rclone_version():
    needs("rclone")
    found = re.search(r"v(\d+)\.(\d+)", said_by("rclone", "version"))
    return tuple(map(int, found.groups()))


@pytest.mark.parametrize("strategy", ["mmap", "parallel"])
def test_that_rclone_mounts_with_what_is_exported(strategy, tmp_path):
    if os.geteuid() or not shutil.which("fusermount3"):
        pytest.skip("only root mounts here, with fusermount3")
    version, said = rclone_version(), advised("rclone", strategy, "rclone")
    remote, point, cache = (tmp_path / name for name in ("remote", "point", "cache"))
    for folder in (remote, point):
        folder.mkdir()
    (remote / "model").write_bytes(CONTENT)
    text = said.forms[0].text.replace("\\\n", "")  # as a shell does, and shlex doesn't
    rclone, mount, _source, _point, *options = shlex.split(text)
    beside = ("--cache-dir", str(cache), "--config", os.devnull, "--daemon")
    command = (rclone, mount, f":local:{remote}", str(point), *options, *beside)
    if "--vfs-read-chunk-streams" in options and version < STREAMS_SINCE:
        assert "unknown flag: --vfs-read-chunk-streams" in said_by(*command)
        assert ".".join(map(str, STREAMS_SINCE)) in said.since
        return
    subprocess.run(command, check=True)  # returns when it is mounted
    try:
        assert (point / "model").read_bytes() == CONTENT
    finally:
        subprocess.run(["fusermount3", "-u", str(point)], check=True)


@contextmanager
def loop_device(tmp_path):
    """A disk of its own, by its name."""
    (tmp_path / "disk").write_bytes(bytes(1 << 20))
    found = said_by("losetup", "--find", "--show", str(tmp_path / "disk")).strip()
    if not found.startswith("/dev/loop"):
        pytest.skip(f"no loop device: {found}")
    try:
        yield found.removeprefix("/dev/")
    finally:
        subprocess.run(["losetup", "--detach", found], check=True)


def test_that_blockdev_and_the_rule_for_udev_set_the_same_readahead(tmp_path):
    for program in ("blockdev", "losetup"):
        needs(program)
    now, permanent = advised("readahead", "mmap", "local").forms
    rule = re.fullmatch(
        r'ACTION=="add\|change", KERNEL=="nvme0n1", ATTR\{(.+)\}="(\d+)"\n', permanent.text
    )
    with loop_device(tmp_path) as device:
        attribute = f"/sys/block/{device}/{rule[1]}"
        subprocess.run(shlex.split(now.text.replace("nvme0n1", device)), check=True)
        assert said_by("cat", attribute).strip() == rule[2]
