"""Who serves a FUSE mount, from what its mount and its process's command line say."""

import pytest

from modelmon.core.machine.mounts import identify, telling_settings


@pytest.mark.parametrize(
    ("filesystem", "source", "command", "program", "serves", "known_from"),
    [
        ("fuse.sshfs", "me@host:/models", (), "sshfs", "server", "mount type"),
        ("fuse.juicefs", "JuiceFS:models", (), "juicefs", "object-store", "mount type"),
        ("fuse", "mountpoint-s3", (), "mount-s3", "object-store", "source"),
        ("fuse", "s3fs", (), "s3fs", "object-store", "source"),
        ("fuse", "hub", ("/opt/bin/hf-mount", "x"), "hf-mount", "object-store", "serving process"),
        ("fuseblk", "/dev/sdb1", ("/sbin/mount.ntfs", "x"), "ntfs-3g", "local", "serving process"),
        ("fuse.newfs", "x", (), "newfs", "unknown", "mount type"),
        ("fuse", "x", ("python3", "/srv/server.py"), "python3", "unknown", "serving process"),
        ("fuseblk", "/dev/sdb1", (), None, "unknown", ""),
    ],
)
def test_that_type_source_and_process_name_the_program(
    filesystem, source, command, program, serves, known_from
):
    found = identify(filesystem, source, command)
    assert (found.program, found.serves, found.known_from) == (program, serves, known_from)


@pytest.mark.parametrize(
    ("command", "settings"),
    [
        (("x", "--cache", "/tmp/c"), ("cache=/tmp/c",)),
        (("x", "--cache=/tmp/c"), ("cache=/tmp/c",)),
        (("x", "--cache", "--other"), ("cache",)),
        (("x", "-o", "ro,cache=yes,password=hush,direct_io"), ("cache=yes", "direct_io")),
        (("x", "-odirect_io"), ("direct_io",)),
        (("x", "--password", "hush"), ()),
    ],
)
def test_that_only_settings_of_interest_are_taken_from_a_command_line(command, settings):
    assert telling_settings(command, ("cache", "direct_io")) == settings
