"""Which files below a mount are cached a second time."""

import pytest

from modelmon.core.machine.block_devices import BlockLayer
from modelmon.core.machine.page_cache import _read_by
from modelmon.core.machine.storage import MountLayer, StorageStack


def loop(*, direct=False):
    return BlockLayer("loop0", "loop", backing_file="/images/disk.img", direct_io=direct)


@pytest.mark.parametrize(
    ("device", "found"),
    [
        (loop(), ["/images/disk.img"]),
        (loop(direct=None), ["/images/disk.img"]),
        # Reads past the image's own cache.
        (loop(direct=True), []),
        (BlockLayer("loop0p1", "partition", below=(loop(),)), ["/images/disk.img"]),
        (BlockLayer("dm-0", "luks", "vault", below=(loop(),)), ["/images/disk.img"]),
        (BlockLayer("sda", "disk"), []),
    ],
)
def test_that_an_image_below_any_device_is_found(device, found):
    mount = MountLayer("/m", "ext4", f"/dev/{device.name}", "local-disk", devices=(device,))
    assert list(map(str, _read_by(StorageStack("/m/a", "/m/a", (mount,))))) == found


@pytest.mark.parametrize("source", ["localhost:{}", "me@127.0.0.1:{}", "localhost:src"])
def test_that_what_this_machine_serves_to_itself_is_found(tmp_path, monkeypatch, source):
    monkeypatch.setenv("HOME", str(tmp_path))
    file = tmp_path / "src/sub/a.gguf"
    file.parent.mkdir(parents=True)
    file.write_bytes(b"GGUF")
    mount = MountLayer("/m", "nfs4", source.format(tmp_path / "src"), "network")
    elsewhere = MountLayer("/m", "nfs4", f"server:{tmp_path}/src", "network")
    assert list(_read_by(StorageStack("/m", "/m/sub/a.gguf", (mount,)))) == [file]
    assert not list(_read_by(StorageStack("/m", "/m/sub/a.gguf", (elsewhere,))))
    assert not list(_read_by(StorageStack("/m", "/m/sub/b.gguf", (mount,))))
