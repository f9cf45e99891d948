"""Probes are kept by storage, and used while they hold."""

import msgspec
import pytest
from tests.core.probe.probes import probe_of

from modelmon.core.machine.cgroup import CgroupLimit
from modelmon.core.machine.origin import storage_origin, this_machine
from modelmon.core.machine.storage import Storage
from modelmon.core.probe.probe import SCHEMA, StorageFigures
from modelmon.core.probe.store import MOST_AGE_S, keep_probe, probes_file, recent_probe

HERE = Storage("/m/a.gguf", "/m", "ext4", "/dev/sda1", "local-disk", device="sda")
THERE = Storage("/n/a.gguf", "/n", "ext4", "/dev/sdb1", "local-disk", device="sdb")
NOW = 1_800_000_000.0


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("MODELMON_DATA_DIR", str(tmp_path / "data"))
    return tmp_path / "data"


def probe_at(storage, at_unix_s=NOW):
    machine = this_machine()
    return probe_of(
        path=storage.path,
        machine_id=machine.id,
        storage_id=storage_origin(storage, machine).id,
        probed_unix_s=at_unix_s,
    )


def test_that_a_kept_probe_is_found_again_by_its_user_alone(folder):
    assert recent_probe(HERE, NOW) is None
    assert keep_probe(probe_at(HERE)) == ""
    assert recent_probe(HERE, NOW + 60) == probe_at(HERE)
    assert not folder.stat().st_mode & 0o077


def test_that_another_device_is_not_taken_for_this_one():
    keep_probe(probe_at(HERE))
    assert recent_probe(THERE, NOW) is None
    renamed = msgspec.structs.replace(HERE, filesystem="xfs")
    assert recent_probe(renamed, NOW) is None
    keep_probe(probe_at(THERE))
    assert recent_probe(HERE, NOW) is not None
    assert recent_probe(THERE, NOW) is not None


def test_that_old_probes_and_those_of_the_future_are_not_used():
    keep_probe(probe_at(HERE))
    assert recent_probe(HERE, NOW + MOST_AGE_S) is not None
    assert recent_probe(HERE, NOW + MOST_AGE_S + 1) is None
    assert recent_probe(HERE, NOW - 1) is None


def test_that_a_newer_probe_takes_the_place_of_the_last(folder):
    keep_probe(probe_at(HERE))
    keep_probe(probe_at(HERE, NOW + 5))
    found = recent_probe(HERE, NOW + 10)
    assert found.probed_unix_s == NOW + 5
    # Nothing lies beside the file.
    assert [file.name for file in folder.iterdir()] == ["probes.json"]


def test_that_a_probe_among_others_takes_the_place_of_its_like_only():
    def shared(at):
        figures = StorageFigures("direct", direct_bytes=10**9, others_bytes=10**9)
        return msgspec.structs.replace(probe_at(HERE, at), storage=figures)

    assert keep_probe(shared(NOW)) == ""
    assert keep_probe(shared(NOW + 1)) == ""
    assert keep_probe(probe_at(HERE, NOW + 2)) == ""
    assert "others used the disk" in keep_probe(shared(NOW + 3))
    found = recent_probe(HERE, NOW + 4)
    assert found.probed_unix_s == NOW + 2
    assert keep_probe(shared(NOW + 3 + MOST_AGE_S)) == ""


def test_that_a_probe_under_a_limit_holds_while_the_limit_is_there(monkeypatch):
    limit = CgroupLimit("read-rate", 40_000_000, "io.max", "/slow", "sda")
    there = [limit]
    monkeypatch.setattr(
        "modelmon.core.probe.store.throttles",
        lambda devices: tuple(each for each in there if each.device in devices),
    )
    held = msgspec.structs.replace(probe_at(HERE), throttles=(limit,))
    keep_probe(held)
    assert recent_probe(HERE, NOW) == held
    there[0] = msgspec.structs.replace(limit, amount=80_000_000)
    assert recent_probe(HERE, NOW) is None
    there.clear()
    assert recent_probe(HERE, NOW) is None


@pytest.mark.parametrize("content", [b"", b"{", b'{"schema":99,"probes":[]}', b"\xff\xfe"])
def test_that_a_file_that_cannot_be_used_is_no_obstacle(content):
    probes_file().parent.mkdir()
    probes_file().write_bytes(content)
    assert recent_probe(HERE, NOW) is None
    assert keep_probe(probe_at(HERE)) == ""
    assert recent_probe(HERE, NOW) is not None


def test_that_a_probe_that_scattered_its_reads_is_no_longer_believed():
    keep_probe(probe_at(HERE))
    content = probes_file().read_bytes()
    first = content.replace(f'"schema":{SCHEMA}'.encode(), b'"schema":1', 1)
    probes_file().write_bytes(first)
    assert first != content
    assert recent_probe(HERE, NOW) is None


def test_that_a_folder_that_cannot_be_made_is_named(folder):
    folder.write_text("a file in its place")
    assert str(folder) in keep_probe(probe_at(HERE))
