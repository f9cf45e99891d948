"""`modelmon doctor` on this machine, as a person or a script calls it."""

import json
import os
import subprocess
import sys
from itertools import pairwise

import msgspec
import pytest
from tests.system.commands import modelmon, typed
from tests.system.needs import on_linux

from modelmon.core.doctor import decoding as decode_rates
from modelmon.core.doctor.diagnosis import Diagnosis
from modelmon.core.doctor.sections import sections
from modelmon.core.load.config import PRESETS
from modelmon.core.machine.storage import storage_of
from modelmon.core.messages import MESSAGES, TYPED, from_wire
from modelmon.core.probe.store import recent_probe


def told(*arguments):
    done = typed("doctor", "--json", *arguments)
    assert done.returncode == 0, done.stderr
    # What is printed can be read back as what it was.
    msgspec.json.decode(done.stdout, type=Diagnosis, dec_hook=from_wire)
    return json.loads(done.stdout)


def test_that_doctor_tells_of_a_model_in_groups(sample, tmp_path):
    path = tmp_path / "my model.safetensors"
    path.symlink_to(sample)
    done = typed("doctor", path)
    assert done.stdout.startswith("Findings\n")
    assert "Processors" not in done.stdout
    assert f"All facts: modelmon doctor '{path}' --all" in done.stdout
    done = typed("doctor", path, "--all")
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    for part in (
        "Storage",
        "Memory",
        "Processors",
        "System",
        "Findings",
        "Cached now",
        f"modelmon doctor '{path}' --probe",
    ):
        assert part in done.stdout
    assert "\x1b" not in done.stdout


def test_that_evidence_is_shown_with_all_facts(tmp_path):
    with (tmp_path / "holes.bin").open("wb") as holes:
        holes.truncate(8 * 1024**2)
    evidence = "0% of its bytes are on disk"
    assert evidence in typed("doctor", holes.name, "--all").stdout
    assert evidence not in typed("doctor", holes.name).stdout


def test_that_json_agrees_with_the_file_or_all_of_a_folder(sample, samples):
    folder = samples["sharded"]
    folder = folder if folder.is_dir() else folder.parent
    shards = list(folder.glob("*.safetensors"))
    file = told(folder)["file"]
    assert file["files"] == len(shards) > 1
    assert file["size_bytes"] == sum(shard.stat().st_size for shard in shards)
    found = told(sample)
    assert found["file"]["size_bytes"] == sample.stat().st_size
    assert found["foundation"]["path"] == str(sample.resolve())
    assert found["memory"]["total_bytes"] > 0
    assert found["schema"] == 1


def test_that_without_a_path_the_current_folder_is_looked_at(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = told()
    assert found["foundation"]["path"] == str(tmp_path.resolve())
    assert "file" not in found


def test_that_nothing_is_said_of_how_a_file_fits_that_is_no_model(sample, tmp_path):
    (tmp_path / "notes.txt").write_text("no model")
    found = told(tmp_path / "notes.txt")
    assert found["file"]["size_bytes"] == len("no model")
    kinds = {finding["kind"] for finding in found["findings"]}
    assert "no-model" in kinds
    assert "fit" not in found
    assert "no_model" not in told(sample)


@on_linux
def test_that_holes_and_a_mapping_process_are_found(tmp_path):
    file = tmp_path / "weights.bin"
    with file.open("wb") as sparse:
        sparse.truncate(8 * 1024**2)
    holder = (
        "import mmap, sys; file = open(sys.argv[1]);"
        " kept = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ);"
        " print('mapped', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", holder, file], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout.readline()
        found = told(file)
        process.communicate()
    kinds = {finding["kind"]: finding for finding in found["findings"]}
    assert f"({process.pid}, mapped)" in kinds["file-in-use"]["evidence"]
    if found["storage"]["kind"] == "local-disk":
        assert found["file"]["allocated_bytes"] == 0
        assert "file-with-holes" in kinds


def test_that_the_disk_below_a_real_folder_is_watched(sample):
    found = told(sample)
    if not os.major(sample.stat().st_dev):
        pytest.skip("the folder is on no block device")
    (mount, *_) = found["foundation"]["grounds"]
    assert mount["devices"]
    assert found["idle"]["interval_ns"] > 0
    assert found["idle"]["devices"]


def test_that_decoding_is_measured_where_the_model_is_broken(tmp_path, monkeypatch):
    monkeypatch.setattr(decode_rates, "_TURN_NS", 1)
    monkeypatch.setattr(decode_rates, "MEASURED_TYPES", ("F16", "Q8_0"))
    broken = tmp_path / "broken.safetensors"
    broken.write_bytes((100).to_bytes(8, "little") + b"{" + bytes(1000))
    found = told(broken, "--decode")
    assert found["decode_rates"]
    assert "broken.safetensors" in found["no_model"]


def test_that_decoding_is_measured_when_it_is_asked_for(samples, monkeypatch):
    # A call of each decoder tells as much here as all that fit into a turn.
    monkeypatch.setattr(decode_rates, "_TURN_NS", 1)
    found = told(samples["gguf"], "--decode")
    types = {one["dtype"] for one in found["decode_rates"]}
    assert {"Q4_K", "Q8_0", "F16"} <= types
    groups = dict(sections(msgspec.convert(found, Diagnosis, dec_hook=from_wire)))
    assert {name for name, _ in groups["Decoding to float32"]} == types | {"Rates"}


@on_linux
@pytest.mark.parametrize(("asks", "others"), [("", 1), (TYPED, 0)])
def test_that_what_a_window_started_is_no_other_user_of_its_model(own_copy, asks, others):
    holding = ("sh", "-c", 'exec 3<"$0"; echo held; read _', str(own_copy))
    with subprocess.Popen(holding, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdout.readline() == b"held\n"
        environment = os.environ | {MESSAGES: asks}
        found = json.loads(modelmon("doctor", own_copy, "--json", env=environment).stdout)
        child.kill()
    assert len(found["file"].get("users", ())) == others


@on_linux
def test_that_doctor_probes_and_what_follows_is_known_later(on_a_device):
    shown = modelmon("doctor", on_a_device, "--probe", "--seconds", "1")
    assert shown.returncode == 0
    assert shown.stderr == ""
    for part in ("Random 4 KiB", "8 readers", "Copy, 1 thread", "Expected load times"):
        assert part in shown.stdout
    kept = recent_probe(storage_of(on_a_device))
    told = json.loads(typed("doctor", on_a_device, "--json").stdout)
    assert told["probe"]["probed_unix_s"] == kept.probed_unix_s
    times = [each["cold"]["ns"] for each in told["expected"]]
    # Of those that are as fast the preferred comes first.
    assert all(later > 0.97 * earlier for earlier, later in pairwise(times))
    assert {each["strategy"] for each in told["expected"]} == set(PRESETS)
    assert "typical values" not in shown.stdout
    assert "Fastest load" in typed("inspect", on_a_device).stdout


def test_that_doctor_tells_the_rest_where_the_probe_fails(tmp_path):
    folder = tmp_path / "models"
    folder.mkdir()
    shown = typed("doctor", folder, "--probe", "--all")
    assert shown.returncode == 0
    assert "neither a file nor a model folder" in shown.stdout
    assert "Processors" in shown.stdout


def test_that_a_probe_needs_a_path_and_a_path_a_file(tmp_path):
    shown = typed("doctor", "--probe")
    assert shown.returncode == 2
    assert "--probe needs" in shown.stderr
    done = typed("doctor", tmp_path / "gone.gguf")
    assert done.returncode == 2
    assert "gone.gguf doesn't exist" in done.stderr
