"""`modelmon doctor` on this machine, as a person or a script calls it."""

import json
import os
import subprocess
import sys

import msgspec
import pytest
from tests.system.commands import modelmon, typed

from modelmon.core.doctor import decoding as decode_rates
from modelmon.core.doctor.diagnosis import Diagnosis
from modelmon.core.doctor.sections import sections
from modelmon.core.messages import MESSAGES, TYPED, from_wire

pytestmark = pytest.mark.system


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


def test_that_json_agrees_with_the_file(sample):
    found = told(sample)
    assert found["file"]["size_bytes"] == sample.stat().st_size
    assert found["foundation"]["path"] == str(sample.resolve())
    assert found["memory"]["total_bytes"] > 0
    assert found["schema"] == 1


def test_that_all_shards_of_a_folder_are_looked_at(samples):
    folder = samples["sharded"]
    folder = folder if folder.is_dir() else folder.parent
    shards = list(folder.glob("*.safetensors"))
    found = told(folder)
    assert found["file"]["files"] == len(shards) > 1
    assert found["file"]["size_bytes"] == sum(shard.stat().st_size for shard in shards)


def test_that_without_a_path_the_current_folder_is_looked_at(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = told()
    assert found["foundation"]["path"] == str(tmp_path.resolve())
    assert "file" not in found


def test_that_a_file_that_is_no_model_is_looked_at_all_the_same(tmp_path):
    notes = tmp_path / "notes.txt"
    notes.write_text("not a model")
    assert told(notes)["file"]["size_bytes"] == len("not a model")


def test_that_nothing_is_said_of_how_a_file_fits_that_is_no_model(sample, tmp_path):
    (tmp_path / "notes.txt").write_text("no model")
    found = told(tmp_path / "notes.txt")
    kinds = {finding["kind"] for finding in found["findings"]}
    assert "no-model" in kinds
    assert "fits" not in kinds
    assert "fit" not in found
    assert "no_model" not in told(sample)


def test_that_a_path_that_is_not_there_is_an_error(tmp_path):
    done = typed("doctor", tmp_path / "gone.gguf")
    assert done.returncode == 2
    assert "gone.gguf doesn't exist" in done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells holes and who maps a file")
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
        assert process.stdout is not None
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
    assert "decoded_as" not in found
    assert "broken.safetensors" in found["no_model"]


def test_that_decoding_is_measured_when_it_is_asked_for(samples, monkeypatch):
    # A call of each decoder tells as much here as all that fit into a turn.
    monkeypatch.setattr(decode_rates, "_TURN_NS", 1)
    found = told(samples["gguf"], "--decode")
    types = {one["dtype"] for one in found["decode_rates"]}
    assert {"Q4_K", "Q8_0", "F16"} <= types
    sizes = {one["dtype"]: one["model_bytes"] for one in found["decoded_as"]}
    assert sizes.keys() == types | {""}
    assert sizes["Q2_K"] < sizes["Q4_K"] < sizes["Q8_0"] < sizes["F16"]
    groups = dict(sections(msgspec.convert(found, Diagnosis, dec_hook=from_wire)))
    assert {name for name, _ in groups["Decoding to float32"]} == types | {"Rates"}
    assert {name for name, _ in groups["This model in each type"]} >= types | {"As it is"}


def test_that_a_model_that_cannot_be_decoded_is_told_so(tmp_path, monkeypatch):
    monkeypatch.setattr(decode_rates, "_TURN_NS", 1)
    path = tmp_path / "m.safetensors"
    header = {"w": {"dtype": "F4", "shape": [4, 64], "data_offsets": [0, 128]}}
    text = json.dumps(header).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + bytes(128))
    found = told(path, "--decode")
    assert "F4 can't be decoded" in str(found["no_decoding"])
    groups = dict(sections(msgspec.convert(found, Diagnosis, dec_hook=from_wire)))
    name, why = groups["This model in each type"][0]
    assert (name, "F4" in why) == ("As it is", True)
    assert [name for name, _ in groups["This model in each type"]].count("As it is") == 1


@pytest.mark.skipif(sys.platform != "linux", reason="finds who has files open by /proc")
@pytest.mark.parametrize(("asks", "others"), [("", 1), (TYPED, 0)])
def test_that_what_a_window_started_is_no_other_user_of_its_model(own_copy, asks, others):
    holding = ("sh", "-c", 'exec 3<"$0"; echo held; read _', str(own_copy))
    with subprocess.Popen(holding, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"held\n"
        environment = os.environ | {MESSAGES: asks}
        found = json.loads(modelmon("doctor", own_copy, "--json", env=environment).stdout)
        child.kill()
    assert len(found["file"].get("users", ())) == others
