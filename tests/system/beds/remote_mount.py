"""A folder on a server behind a slow line, mounted by the client that people use for it.

    python remote_mount.py CLIENT FOLDER MOUNT_POINT LINE

CLIENT is `rclone`, over HTTP, or `sshfs`, which talks to an `sftp-server` without SSH; LINE is
JSON: `round_trip_s` and `bytes_per_s`. It says `ready`, and unmounts when its input ends.
"""

import json
import os
import shutil
import socket
import subprocess
import sys
import threading
import time
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Literal

from modelmon.core.simulate import mounts
from modelmon.core.simulate.store import held

sys.path.insert(0, str(Path(__file__).parents[3]))

from tests.system.beds import http_files
from tests.system.beds.lag_proxy import Line

Client = Literal["rclone", "sshfs"]

# Where distributions put what is no command for people.
_SFTP_FOLDERS = "/usr/lib/openssh:/usr/lib/ssh:/usr/libexec/openssh:/usr/libexec:/usr/lib"


def why_not(client):
    """Why nothing can be mounted with it here; empty if it can."""
    if shutil.which(client) is None:
        return f"{client} is not installed"
    if client == "sshfs" and _sftp_server() is None:
        return "sftp-server is not installed"
    return mounts.why_not()


@contextmanager
def mounted(client, folder, mount_point, *, round_trip_s, bytes_per_s):
    """Have `folder` under `mount_point`. Each request's answer begins after a round trip, and all
    share the bandwidth. Whatever becomes of this process, the mount ends with it.
    """
    line = json.dumps({"round_trip_s": round_trip_s, "bytes_per_s": bytes_per_s})
    command = [sys.executable, __file__, client, str(folder), str(mount_point), line]
    with held(command, mount_point):
        yield mount_point


def _sftp_server():
    return shutil.which("sftp-server", path=_SFTP_FOLDERS)


def _serve_sftp(connection):
    number = connection.fileno()
    subprocess.run([str(_sftp_server()), "-R"], stdin=number, stdout=number, check=False)


def _accept(listener, line, serve):
    while True:
        line.connect(listener.accept()[0], serve)


def _command(client, folder, mount_point, port):
    source = "modelmon-bed"
    if client == "rclone":
        url = f"--http-url=http://127.0.0.1:{port}"
        options = ["--vfs-cache-mode=off", "--read-only", f"--devname={source}", "--quiet"]
        return ["rclone", "mount", ":http:", mount_point, url, "--config=/dev/null", *options]
    options = ["-o", f"directport={port},ro,fsname={source}"]
    return ["sshfs", "-f", f"127.0.0.1:{folder}", mount_point, *options]


def main():
    """Serve, mount, wait for the end, unmount."""
    client, folder, mount_point, line = sys.argv[1:]
    serve = partial(http_files.serve, Path(folder)) if client == "rclone" else _serve_sftp
    listener = socket.create_server(("127.0.0.1", 0))
    # No answer waits until the one before it has been confirmed.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    command = _command(client, folder, mount_point, listener.getsockname()[1])
    # The client ends with this process even where that is killed.
    with subprocess.Popen(
        ["setpriv", "--pdeathsig", "TERM", *command],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    ) as running:
        try:
            # The line is as fast as it is, whatever the processors have to do; the client is not.
            with suppress(OSError):
                os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
            accept = (listener, Line(**json.loads(line)), serve)
            threading.Thread(target=_accept, args=accept, daemon=True).start()
            while not mounts.is_mounted(mount_point):
                if running.poll() is not None:
                    sys.exit(f"{client} ended before it had mounted.")
                time.sleep(0.01)
            sys.stdout.write("ready\n")
            sys.stdout.flush()
            sys.stdin.read()
        finally:
            mounts.unmount(mount_point)
            running.terminate()
            try:
                running.wait(mounts.PATIENCE_S / 2)
            except subprocess.TimeoutExpired:
                running.kill()


if __name__ == "__main__":
    main()
