"""What a path on a network filesystem or FUSE stands on."""

import sys

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="pretends to be Linux")


def test_that_nfs_tells_version_request_size_and_how_long_reads_took(machine):
    machine.write("sys/class/bdi/0:52/read_ahead_kb", "128\n")
    machine.write(
        "proc/self/mountstats",
        "device /dev/vda mounted on / with fstype ext4\n"
        f"device server:/x mounted on {machine.data} with fstype nfs4 statvers=1.1\n"
        "\topts:\trw,vers=4.2\n\tper-op statistics\n"
        "\t        READ: 200 200 0 40000 52428800 10 900 1000 0\n",
    )
    options = "rw,vers=4.2,rsize=262144,nconnect=8,hard,proto=tcp,noac"
    mount = machine.mounted("0:52", "nfs4", "server:/x", options)
    assert (mount.kind, mount.bdi, mount.readahead_bytes) == ("network", "0:52", 128 * 1024)
    nfs = mount.network
    assert nfs is not None
    assert (nfs.protocol, nfs.version, nfs.request_bytes) == ("NFS", "4.2", 262144)
    assert (nfs.connections, nfs.reads, nfs.mean_read_bytes) == (8, 200, 262144)
    assert nfs.mean_read_ns == 4_500_000
    assert [option.option for option in mount.options] == ["rsize=262144", "nconnect=8", "noac"]


def test_that_smb_tells_its_version_and_cache(machine):
    options = "rw,vers=3.1.1,cache=none,rsize=4194304,max_channels=2"
    mount = machine.mounted("0:53", "cifs", "//nas/models", options)
    assert mount.network is not None
    assert (mount.network.protocol, mount.network.version) == ("SMB", "3.1.1")
    assert mount.network.connections == 2
    assert "cache=none" in {option.option for option in mount.options}


@pytest.mark.parametrize(
    ("filesystem", "source", "options", "windows"),
    [
        ("9p", "C:\\", "rw,aname=drvfs;path=C:\\;uid=1000,msize=65536,trans=fd", True),
        ("9p", "drvfs", "rw,aname=drvfs;path=D:\\,msize=65536", True),
        ("drvfs", "C:", "rw", True),
        ("9p", "share", "rw,trans=virtio,msize=512000", False),
        ("virtiofs", "models", "rw", False),
    ],
)
def test_that_a_windows_drive_is_told_from_a_share_of_the_host(
    machine, filesystem, source, options, windows
):
    mount = machine.mounted("0:60", filesystem, source, options)
    assert mount.kind == "network"
    assert mount.network is not None
    assert mount.network.is_windows_drive is windows


def process(machine, pid, command, connection):
    machine.write(f"proc/{pid}/cmdline", "\0".join(command) + "\0")
    lines = f"fuse_connection:\t{connection}\n" if connection else ""
    machine.write(f"proc/{pid}/fdinfo/3", f"pos:\t0\n{lines}")
    (machine.root / f"proc/{pid}/fd").mkdir()
    (machine.root / f"proc/{pid}/fd/3").symlink_to("/dev/fuse")


def test_that_gcsfuse_is_found_with_its_process_and_settings(machine):
    process(machine, 70, ["sshfs", "me@host:", "/elsewhere"], "57")
    command = ["/usr/bin/gcsfuse", "--file-cache-max-size-mb=-1", "--token-url", "secret", "bucket"]
    process(machine, 71, command, "58")
    mount = machine.mounted("0:58", "fuse.gcsfuse", "bucket", "rw,max_read=1048576")
    assert mount.kind == "fuse"
    fuse = mount.fuse
    assert fuse is not None
    assert (fuse.program, fuse.serves, fuse.pid) == ("gcsfuse", "object-store", 71)
    assert fuse.settings == ("file-cache-max-size-mb=-1",)
    assert [option.option for option in mount.options] == ["max_read=1048576"]


def test_that_an_older_kernel_finds_rclone_by_its_mount_point(machine):
    command = ["rclone", "mount", "gs:models", str(machine.data), "--vfs-cache-mode", "full"]
    process(machine, 71, [*command, "--s3-secret-access-key", "hush"], None)
    process(machine, 72, ["rclone", "mount", "gs:other", "/elsewhere"], None)
    fuse = machine.mounted("0:58", "fuse.rclone", "gs:models").fuse
    assert fuse is not None
    assert (fuse.program, fuse.pid, fuse.settings) == ("rclone", 71, ("vfs-cache-mode=full",))


@pytest.mark.parametrize(
    ("filesystem", "source", "command", "program", "serves", "known_from"),
    [
        ("fuse.sshfs", "me@host:/models", (), "sshfs", "server", "mount type"),
        ("fuse.juicefs", "JuiceFS:models", (), "juicefs", "object-store", "mount type"),
        ("fuse", "mountpoint-s3", (), "mount-s3", "object-store", "source"),
        ("fuse", "hub", ("/opt/bin/hf-mount", "x"), "hf-mount", "object-store", "serving process"),
        ("fuseblk", "/dev/sdb1", ("/sbin/mount.ntfs", "x"), "ntfs-3g", "local", "serving process"),
        ("fuse.newfs", "x", (), "newfs", "unknown", "mount type"),
        ("fuse", "x", ("python3", "/srv/server.py"), "python3", "unknown", "serving process"),
        ("fuseblk", "/dev/sdb1", (), None, "unknown", ""),
    ],
)
def test_that_type_source_and_process_name_the_program(
    machine, filesystem, source, command, program, serves, known_from
):
    if command:
        process(machine, 71, command, "58")
    found = machine.mounted("0:58", filesystem, source).fuse
    assert (found.program, found.serves, found.known_from) == (program, serves, known_from)


@pytest.mark.parametrize(
    ("words", "settings"),
    [
        ("--cache /tmp/c", ("cache=/tmp/c",)),
        ("--cache=/tmp/c", ("cache=/tmp/c",)),
        ("--cache --other", ("cache",)),
        ("-o ro,cache=yes,password=hush,direct_io", ("cache=yes", "direct_io")),
        ("-odirect_io", ("direct_io",)),
        ("--password hush", ()),
    ],
)
def test_that_only_settings_of_interest_are_taken_from_a_command_line(machine, words, settings):
    process(machine, 71, ["sshfs", *words.split()], "58")
    assert machine.mounted("0:58", "fuse.sshfs", "host:").fuse.settings == settings
