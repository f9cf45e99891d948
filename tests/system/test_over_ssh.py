"""Models on a server: through a real OpenSSH, with connections that are slow, stall and break."""

import json
import shutil
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import msgspec
import pytest
from tests.system.needs import rarely
from tests.system.ssh_server import HOST, ssh_server, why_not

from modelmon.core import best, compare, load_model, run
from modelmon.core.cli.main import main
from modelmon.core.cli.progress import ProgressBar
from modelmon.core.comparison import runner
from modelmon.core.doctor.inspection import inspect_at, inspect_model, known_limits
from modelmon.core.errors import (
    EXIT_DONE,
    EXIT_USAGE,
    LoadFailedError,
    ModelFileError,
    ModelmonError,
)
from modelmon.core.export.places import check_place, write_text
from modelmon.core.history.history import History
from modelmon.core.history.rows import RunFilter
from modelmon.core.load.config import PROGRAM, LoadConfig
from modelmon.core.load.config_file import read_config
from modelmon.core.machine.origin import this_machine
from modelmon.core.remote import Place, connection, place_of
from modelmon.core.remote.connection import copy_name
from modelmon.core.worker import events as ev
from modelmon.core.worker.client import run_job
from modelmon.core.worker.events import WatchedProgram

pytestmark = pytest.mark.skipif(bool(why_not()), reason=f"no SSH server: {why_not()}")

GONE_S = 100.0


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    with ssh_server(tmp_path_factory.mktemp("server")) as made:
        yield made


@pytest.fixture
def server(shared, monkeypatch):
    use(shared, monkeypatch)
    connection.reach(shared.url)
    yield shared
    shared.proxy.delay_s = 0.0


@pytest.fixture
def bare(tmp_path, monkeypatch):
    """A server without modelmon."""
    with ssh_server(tmp_path, has_modelmon=False) as made:
        use(made, monkeypatch)
        yield made


def use(server, monkeypatch):
    for name, value in server.environment.items():
        monkeypatch.setenv(name, value)


@pytest.fixture
def quick(sample):
    return ev.Job(str(sample), LoadConfig(), cache="as-is", condition_memory=False)


@pytest.fixture
def endless(sample):
    program = WatchedProgram("sleep 600", "exit")
    config = LoadConfig(library=PROGRAM)
    return ev.Job(str(sample), config, condition_memory=False, program=program)


def pretend(server, script):
    """Have a server's copy of modelmon be a script."""
    program = server.cache / "modelmon" / "remote" / copy_name() / "bin" / "python3"
    program.parent.mkdir(parents=True)
    program.write_text(script)
    program.chmod(0o755)


def wait_until(true):
    until = time.monotonic() + GONE_S
    while not true():
        assert time.monotonic() < until
        time.sleep(0.05)


def nothing_is_left(server):
    return not server.running()


def test_that_a_model_there_is_told_as_if_it_were_here(server, sample, capsys):
    assert main(["inspect", f"{server.url}{sample}", "--json"]) == EXIT_DONE
    told = json.loads(capsys.readouterr().out)
    here = inspect_model(sample)
    assert told["model"] == json.loads(msgspec.json.encode(here.model))
    assert told["server"] == server.url
    assert told["origin"]["machine"]["id"] != this_machine().id


def test_that_what_is_wrong_there_is_said_here(server, tmp_path, capsys):
    assert main(["run", f"{server.url}{tmp_path}/none.gguf", "--json"]) == EXIT_USAGE
    said = json.loads(capsys.readouterr().out)["error"]["message"]
    assert "none.gguf" in said


def test_that_a_name_is_only_a_name(server, sample):
    name = "-x b'\"$(touch x)`touch x`;&|ü\\!*~.safetensors"
    path = server.home / name
    shutil.copy(sample, path)
    assert inspect_at(place_of(f"{server.url}/~/{name}")).model.path == str(path)
    assert not (server.home / "x").exists()


def test_that_a_comparison_goes_on_where_it_stood_and_is_kept_apart(
    server, sample, tmp_path, monkeypatch
):
    monkeypatch.setattr(runner, "AGAIN_S", 0.1)
    cuts = []

    def cut_once(_, event, record):
        if isinstance(event, ev.Planned) and not cuts and record.hello.job.strategy == "parallel":
            cuts.append(record.hello.job.strategy)
            server.proxy.cut()

    monkeypatch.setattr(ProgressBar, "follow", cut_once)
    out = tmp_path / "result.json"
    asked = ["--b", "parallel", "--repeats", "1", "--cache", "as-is", "--no-memory-prep"]
    asked += ["--out", str(out), "--export", f"{server.url}/~/compared.toml"]
    assert main(["compare", f"{server.url}{sample}", *asked]) == EXIT_DONE
    assert cuts
    assert json.loads(out.read_bytes())["path"] == f"{server.url}{sample}"
    assert main(["export", str(out), "--for", "all", "--format", "text"]) == EXIT_DONE
    exported = read_config(server.home / "compared.toml")
    assert load_model(sample, exported.config).config == exported.config
    rows = History().runs(RunFilter())
    assert len(rows) >= 2
    assert {row.path for row in rows} == {f"{server.url}{sample}"}
    assert this_machine().id not in {row.machine_id for row in rows}


def test_that_a_file_is_written_there_where_it_was_asked_for_and_nowhere_else(
    server, tmp_path, capsys
):
    name = "-x $(touch x)'ü\n.toml"
    before = {*server.home.iterdir(), server.home / ".cache"}
    place = Place(f"{server.home}/{name}", server.url)
    assert not check_place(place)
    text = "a\nü" + 200_000 * "b"
    write_text(place, text)
    assert (server.home / name).read_text() == text
    assert check_place(place)
    write_text(place, "")
    assert not (server.home / name).read_text()
    with pytest.raises(ModelmonError, match="is a model file"):
        write_text(Place(f"{server.home}/a.gguf", server.url), text)
    nowhere = f"{server.url}{tmp_path}/nowhere/modelmon.toml"
    # Said before anything is measured.
    assert main(["compare", f"{server.url}/m", "--export", nowhere])
    assert "the folder doesn't exist" in " ".join(capsys.readouterr().err.split())
    (server.home / name).unlink()
    assert set(server.home.iterdir()) <= before


class EnoughError(Exception):
    """What was to be seen was seen."""


def enough(doing):
    assert doing.label
    raise EnoughError


@pytest.mark.long
def test_that_calls_from_python_measure_there(server, sample):
    path = f"{server.url}{sample}"
    report = run(path, cache="as-is")
    assert [row.id for row in History().runs(RunFilter())] == [report.run_id]
    assert History().runs(RunFilter())[0].path == path
    compared = compare(Path(path), repeats=1, cache="as-is")
    assert compared.result.path == path
    # That its first run begins there has to do: a race takes time.
    with pytest.raises(EnoughError):
        best(path, objective="warm", history=False, progress=enough)
    with pytest.raises(ModelFileError, match="only this machine's"):
        load_model(path)
    wait_until(partial(nothing_is_left, server))


@pytest.mark.long
def test_that_a_slow_line_does_not_slow_a_load(server, quick):
    server.proxy.delay_s = 0.2
    record = run_job(quick, server=server.url)
    assert record.hello.job == quick
    assert record.finished.delivered_bytes == record.planned.planned_bytes
    assert "dropped-samples" not in {warning.kind for warning in record.warnings}
    server.proxy.delay_s = 0.0
    wait_until(partial(nothing_is_left, server))


def cut_when(server, kind):
    def follow(event, _record):
        if isinstance(event, kind):
            server.proxy.cut()

    return follow


@pytest.mark.parametrize("kind", [rarely(ev.Hello), ev.Started])
def test_that_a_lost_connection_leaves_nothing_there(server, endless, kind):
    record = run_job(endless, cut_when(server, kind), command=("sleep", "600"), server=server.url)
    assert record.failed.kind == "disconnected"
    assert record.failed.message == f"The connection to {server.url} was lost."
    assert record.failed.remedy.startswith("Run it again")
    wait_until(partial(nothing_is_left, server))


def let_shell_greet(server):
    """What each login begins with, as lines of a .bashrc do, the last one not ended."""
    keys = server.folder / "authorized_keys"
    says = 'command="echo welcome; printf more; eval \\"$SSH_ORIGINAL_COMMAND\\""'
    keys.write_text(f"{says} {keys.read_text()}")


def test_that_what_says_all_itself_is_shown_as_it_is(server, sample, capfd):
    assert main(["warm", f"{server.url}{sample}"]) == EXIT_DONE
    assert "Cached now" in capfd.readouterr().out


def test_that_a_folder_there_is_listed(server, sample, capfd):
    assert main(["remote", "list", f"{server.url}{sample.parent}", "--json"]) == EXIT_DONE
    told = json.loads(capfd.readouterr().out)
    assert told["path"] == str(sample.parent)
    size = sample.stat().st_size
    assert {"name": sample.name, "kind": "safetensors", "size_bytes": size} in told["entries"]


@pytest.mark.parametrize("name", [rarely("best"), "watch"])
def test_that_a_program_that_is_not_there_is_named(name, server, sample, capsys):
    asked = ["--program", "llama.cpp", "--at", "/nowhere", "--json"]
    assert main([name, f"{server.url}{sample}", *asked])
    said = json.loads(capsys.readouterr().out)["error"]["message"]
    assert "llama-server" in said


@pytest.mark.long
def test_that_a_process_there_is_not_taken_for_one_here(server, sample, capsys):
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as joined:
        url, pid = f"{server.url}{sample}", str(joined.pid)
        main(["watch", url, "--pid", pid, "--limit", "1", "--yes", "--json"])
        joined.kill()
    told = json.loads(capsys.readouterr().out)["result"]
    assert told["strategy"] == f"process {pid}"


@pytest.mark.parametrize("name", ["run", "compare", "best"])
def test_that_nothing_is_prepared_here_for_a_model_there(name, capsys):
    assert main([name, "ssh://nowhere/a", "--prepare", "true"]) == EXIT_USAGE
    assert "ssh://nowhere" in capsys.readouterr().err


@pytest.mark.long
def test_that_a_programs_settings_are_those_of_the_program_there(server, sample, capsys):
    asked = ["--program", "safetensors", "--at", sys.executable, "--dry-run"]
    assert main(["best", f"{server.url}{sample}", *asked]) == EXIT_DONE
    told = capsys.readouterr().err
    assert str(sample) in told
    assert len(told.splitlines()) > 2


@pytest.mark.long
def test_that_a_server_without_modelmon_gets_what_measures(bare, quick, capsys):
    before = {path for path in bare.folder.rglob("*") if bare.runtime not in path.parents}
    with pytest.raises(connection.NotInstalledError):
        connection.reach(bare.url)
    record = run_job(quick, server=bare.url)
    assert f"modelmon remote install {bare.url}" in record.failed.remedy
    assert main(["remote", "install", HOST, "--yes"]) == EXIT_DONE
    connection.reach(bare.url)
    assert run_job(quick, server=bare.url).finished is not None
    url = f"{bare.url}{quick.path}"
    assert main(["doctor", url, "--probe", "--seconds", "1"]) == EXIT_DONE
    assert known_limits(inspect_at(place_of(url))).memory_bytes_per_s
    tuned = ["best", url, "--program", "safetensors", "--at", sys.executable, "--dry-run"]
    assert main(tuned) == EXIT_DONE
    folder = bare.cache / "modelmon" / "remote"
    new = {path for path in bare.folder.rglob("*") if folder not in (path, *path.parents)} - before
    assert new <= {bare.cache, folder.parent, bare.folder / "known_hosts"}
    assert (folder / "data" / "probes.json").exists()
    wait_until(partial(nothing_is_left, bare))
    assert main(["remote", "remove", HOST]) == EXIT_DONE
    assert not folder.exists()
    capsys.readouterr()


@pytest.mark.long
def test_that_a_passphrase_is_asked_by_ssh_alone(tmp_path, monkeypatch):
    with ssh_server(tmp_path) as server:
        use(server, monkeypatch)
        change = ["ssh-keygen", "-q", "-p", "-P", "", "-N", "it's secret"]
        subprocess.run([*change, "-f", str(tmp_path / "key")], check=True)
        monkeypatch.setenv("SSH_ASKPASS", "/bin/false")
        monkeypatch.setenv("SSH_ASKPASS_REQUIRE", "force")
        with pytest.raises(LoadFailedError, match="Permission denied"):
            connection.reach(server.url)
        answer = tmp_path / "askpass"
        answer.write_text('#!/bin/sh\necho "it\'s secret"\n')
        answer.chmod(0o700)
        monkeypatch.setenv("SSH_ASKPASS", str(answer))
        connection.reach(server.url)
        monkeypatch.setenv("SSH_ASKPASS", "/bin/false")
        connection.reach(server.url)


def test_that_what_a_shell_says_first_is_no_part_of_it(tmp_path, quick, monkeypatch):
    with ssh_server(tmp_path) as server:
        use(server, monkeypatch)
        let_shell_greet(server)
        connection.reach(server.url)
        record = run_job(quick, server=server.url)
        assert record.finished is not None
        assert inspect_at(Place(quick.path, server.url)).model.path == quick.path
        connection.install(server.url)


@pytest.mark.parametrize("does", ["yes", rarely("seq 100000 >&2; exit 1")])
def test_that_a_server_that_says_too_much_is_ended(does, tmp_path, monkeypatch):
    with ssh_server(tmp_path, has_modelmon=False) as server:
        use(server, monkeypatch)
        keys = server.folder / "authorized_keys"
        keys.write_text(f'command="{does}" {keys.read_text()}')
        with pytest.raises(LoadFailedError):
            connection.reach(server.url)
        wait_until(partial(nothing_is_left, server))


def test_that_a_server_that_is_not_there_is_named_and_ssh_quoted(server, monkeypatch, capsys):
    monkeypatch.setattr(server.proxy, "refuses", True)
    server.disconnect()
    with pytest.raises(LoadFailedError) as refused:
        connection.reach(server.url)
    assert str(refused.value).replace("\n", "").isprintable()
    assert "\N{REPLACEMENT CHARACTER}" not in str(refused.value)
    assert main(["inspect", f"{server.url}/a", "--json"])
    assert server.url in json.loads(capsys.readouterr().out)["error"]["message"]


@pytest.mark.parametrize(
    "lines_said",
    [
        rb"\033[2J{}\n",
        rarely(b'{"event": "hello", "protocol": 1e999}\\n'),
        b'{"event": "failed", "kind": "io", "message": "\\\\u001b[31mred\\\\u001b[0m"}\\n',
        rarely(rb"\004no number\n"),
    ],
    ids=["garbage", "huge", "colored", "no-code"],
)
def test_that_whatever_a_server_says_is_a_sentence_here(bare, quick, lines_said):
    pretend(bare, f"#!/bin/sh\nprintf '%b' '{lines_said.decode()}'\nsleep 0.2\n")
    if lines_said.startswith(b"{"):
        record = run_job(quick, server=bare.url)
        assert record.failed.message.isprintable()
    else:
        with pytest.raises(ModelmonError) as refused:
            inspect_at(Place(quick.path, bare.url))
        assert str(refused.value).replace("\n", "").isprintable()


@pytest.mark.long
def test_that_a_command_that_was_cut_off_says_so_in_its_own_way(bare, quick, capfd):
    url = f"{bare.url}{quick.path}"
    # Not installed, and nobody to ask.
    assert main(["warm", url])
    assert "isn't installed" in capfd.readouterr().err
    assert main(["warm", url, "--json"])
    assert "isn't installed" in json.loads(capfd.readouterr().out)["error"]["message"]
