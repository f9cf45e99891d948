"""What is advised about the disk of a model: by a probe where there is one."""

import time

import msgspec
import pytest

from modelmon.core.best.advice_storage import storage_advice
from modelmon.core.diagnose.doctor import diagnose
from modelmon.core.diagnose.inspection import inspect_model
from modelmon.core.machine.origin import storage_origin, this_machine
from modelmon.core.machine.storage import Storage
from modelmon.core.model.open import open_model
from modelmon.core.probe.faster_places import FasterPlace, faster_places
from modelmon.core.probe.probe import (
    BestTimes,
    MemoryFigures,
    Probe,
    Reads,
    StorageFigures,
)
from modelmon.core.probe.store import keep_probe

S = 10**9
HERE = Storage("/m/a.gguf", "/m", "ext4", "/dev/sda1", "local-disk", device="sda")
THERE = Storage("/n/a.gguf", "/n", "ext4", "/dev/sdb1", "local-disk", device="sdb")


@pytest.fixture(scope="module")
def model(sample):
    return inspect_model(sample).model


@pytest.fixture(autouse=True)
def data_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("MODELMON_DATA_DIR", str(tmp_path / "data"))


def probe_of(storage, path, bytes_per_s, kind="nvme"):
    machine = this_machine()
    reads = Reads(1, 2**20, 100, 100 * 2**20, bytes_per_s, 1.0)
    return Probe(
        schema=1,
        path=path,
        model_bytes=10**9,
        machine_id=machine.id,
        storage_id=storage_origin(storage, machine).id,
        probed_unix_s=time.time(),
        duration_ns=S,
        storage=StorageFigures("direct", sequential=reads),
        memory=MemoryFigures(),
        storage_class=kind,
        class_evidence="seen",
        best=BestTimes(10**9),
    )


def advised(model, cold_ns, **known):
    found = msgspec.structs.replace(diagnose(None, 0.01), **known)
    return {advice.kind: advice for advice in storage_advice(model, found, cold_ns)}


def test_that_a_drive_probed_as_fast_is_not_to_be_replaced_by_one(model):
    slow_ns = model.nbytes / 100e6 * S
    assert "NVMe" in advised(model, slow_ns)["faster-disk"].text
    nvme = probe_of(HERE, "/m/a.gguf", 2.9e9)
    assert "faster-disk" not in advised(model, slow_ns, probe=nvme)
    disk = probe_of(HERE, "/m/a.gguf", 120e6, "hard-disk")
    found = advised(model, slow_ns, probe=disk)["faster-disk"]
    assert "measured as hard disk" in found.text
    assert found.basis == "rule of thumb"


def test_that_another_disk_that_was_probed_is_named_with_its_time(model):
    place = FasterPlace("/fast disk", "nvme", 3e9, S // 2, 0.0)
    found = advised(model, 4 * S, faster_places=(place,))["faster-disk"]
    assert found.expected == "About 500 ms instead of 4.00 s."
    assert found.basis == "measured"
    assert found.command == f"cp -L {model.path} '/fast disk'"
    # Files in folders of their own keep these.
    folder = model.path.rpartition("/")[0]
    inner = msgspec.structs.replace(model.shards[0], path=f"{folder}/layer.0/x.safetensors")
    apart = advised(msgspec.structs.replace(model, shards=(inner,)), 4 * S, faster_places=(place,))
    assert apart["faster-disk"].command == f"cp -rL {folder} '/fast disk'"
    # Not for a gain that is hardly felt.
    near = advised(model, 0.6 * S, faster_places=(place,)).get("faster-disk")
    assert near is None or near.basis == "rule of thumb"


def test_that_faster_places_are_other_local_disks_with_room(tmp_path):
    there = str(tmp_path / "other.gguf")
    here = probe_of(HERE, "/m/a.gguf", 500e6)
    keep_probe(here)
    assert faster_places(10**6, HERE, here) == ()
    keep_probe(probe_of(THERE, there, 3e9))
    (place,) = faster_places(3 * 10**6, HERE, here)
    assert (place.folder, place.best_cold_ns) == (str(tmp_path), 10**6)
    assert faster_places(10**18, HERE, here) == ()
    assert faster_places(10**6, THERE, probe_of(THERE, there, 3e9)) == ()
    keep_probe(probe_of(THERE, "/gone/other.gguf", 3e9))
    assert faster_places(10**6, HERE, here) == ()
    keep_probe(probe_of(THERE, there, 3e9, "network"))
    assert faster_places(10**6, HERE, here) == ()


def test_that_a_command_to_convert_is_given_where_it_would_work(sample, tmp_path):
    folder = tmp_path / "my model"
    folder.mkdir()
    (folder / "model.safetensors").write_bytes(sample.read_bytes())
    assert advised(open_model(folder), S)["quantisation"].command == ""
    (folder / "config.json").write_text("{}")
    command = advised(open_model(folder), S)["quantisation"].command
    assert command.startswith(f"convert_hf_to_gguf.py '{folder}' --outtype q8_0 --outfile ")


def test_that_only_types_that_llama_cpp_knows_are_to_be_quantised(model):
    assert "quantisation" in advised(model, 4 * S)
    (first, *rest) = model.tensors
    forks = msgspec.structs.replace(first, dtype="type 137")
    assert "quantisation" not in advised(
        msgspec.structs.replace(model, tensors=(forks, *rest)), 4 * S
    )
