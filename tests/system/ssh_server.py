"""A real OpenSSH server on a loopback port, with a scratch folder for all that it and its user
have, and a proxy before it that delays, stalls and cuts connections.
"""

import contextlib
import os
import select
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

SSHD = shutil.which("sshd", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
_STARTS_S = 20.0
_PRIVILEGE_FOLDER = Path("/run/sshd")
HOST = "gpu-server"


def why_not():
    """Why there can be no server; "" if there can."""
    if SSHD is None or shutil.which("ssh") is None or shutil.which("ssh-keygen") is None:
        return "OpenSSH's server and client aren't installed"
    if os.geteuid() == 0 and not _PRIVILEGE_FOLDER.is_dir():
        try:
            _PRIVILEGE_FOLDER.mkdir(mode=0o755)
        except OSError as error:
            return f"{_PRIVILEGE_FOLDER}: {error.strerror}"
    return ""


class Proxy:
    """Hands bytes on to a port, each `delay_s` after it came; `cut` ends all connections."""

    def __init__(self, to_port):
        self.delay_s = 0.0
        self.refuses = False
        self._to_port = to_port
        self._open = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._accepting = threading.Thread(target=self._accept, daemon=True)
        self._accepting.start()

    def cut(self):
        """End all connections without a word."""
        for each in self._open:
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
        self._open.clear()

    def close(self):
        """Take no more, and end what is there."""
        self._listener.shutdown(socket.SHUT_RDWR)
        self._accepting.join()
        self._listener.close()
        self.cut()

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                if self.refuses:
                    near.close()
                    continue
                far = socket.create_connection(("127.0.0.1", self._to_port))
                self._open += [near, far]
                threading.Thread(target=self._serve, args=(near, far), daemon=True).start()

    def _serve(self, near, far):
        """Both ways of one connection, until either end is closed."""
        ways = (near, far), (far, near)
        threads = [threading.Thread(target=self._hand_on, args=way, daemon=True) for way in ways]
        with near, far:
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()

    def _hand_on(self, source, target):
        waiting = []
        with contextlib.suppress(OSError):
            while True:
                wait_s = max(0.0, waiting[0][0] - time.monotonic()) if waiting else 1.0
                if select.select([source], [], [], max(wait_s, 0.01))[0]:
                    data = source.recv(1 << 16)
                    if not data:
                        break
                    waiting.append((time.monotonic() + self.delay_s, data))
                while waiting and waiting[0][0] <= time.monotonic():
                    data = waiting.pop(0)[1]
                    target.sendall(data)
        for each in (source, target):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)


class SshServer:
    """One sshd. `home` is the home folder of who logs in, `proxy` what clients go through."""

    def __init__(self, folder, *, has_modelmon=True):
        self.folder = folder
        self.home = folder / "home"
        self.cache = self.home / ".cache"
        for each in (self.home, folder / "bin"):
            each.mkdir()
        self._port = _free_port()
        for name in ("host_key", "key"):
            make = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(folder / name)]
            subprocess.run(make, check=True)
        (folder / "authorized_keys").write_bytes((folder / "key.pub").read_bytes())
        if has_modelmon:
            program = folder / "bin" / "modelmon"
            program.write_text(f"#!{sys.executable}\n")
            program.chmod(0o755)
        environment = {
            "HOME": self.home,
            "XDG_CACHE_HOME": self.cache,
            "MODELMON_DATA_DIR": folder / "data-there",
            "PATH": f"{folder / 'bin'}:/usr/bin:/bin",
        }
        told = " ".join(f'"{name}={value}"' for name, value in environment.items())
        (folder / "sshd_config").write_text(
            f"Port {self._port}\nListenAddress 127.0.0.1\nHostKey {folder}/host_key\n"
            f"AuthorizedKeysFile {folder}/authorized_keys\nStrictModes no\nUsePAM no\n"
            f"PidFile none\nPermitRootLogin prohibit-password\nPasswordAuthentication no\n"
            f"SetEnv {told}\nLogLevel ERROR\n"
        )
        self._process = self._start()
        self.proxy = Proxy(self._port)
        (folder / "ssh_config").write_text(
            f"Host {HOST}\n  HostName 127.0.0.1\n  Port {self.proxy.port}\n"
            f"  IdentityFile {folder}/key\n  IdentitiesOnly yes\n"
            f"  UserKnownHostsFile {folder}/known_hosts\n  StrictHostKeyChecking accept-new\n"
        )
        # The sockets' names have to be short.
        self.runtime = Path(tempfile.mkdtemp(prefix="mm-", dir="/tmp"))

    @property
    def environment(self):
        """What makes the client here go there."""
        return {
            "MODELMON_SSH_COMMAND": f"ssh -F {self.folder}/ssh_config",
            "XDG_RUNTIME_DIR": str(self.runtime),
        }

    @property
    def url(self):
        """The server's address."""
        return f"ssh://{HOST}"

    def join(self, group):
        """Have its later sessions in a control group (beds/memory_limit.py)."""
        (group.folder / "cgroup.procs").write_text(str(self._process.pid))

    def close(self):
        """End the server, its sessions, and the connection that is shared here."""
        self.disconnect()
        self.proxy.close()
        self._process.terminate()
        self._process.wait()
        shutil.rmtree(self.runtime, ignore_errors=True)

    def disconnect(self):
        """End the connection that is shared here, if there is one."""
        for control in self.runtime.rglob("*"):
            if control.is_socket():
                leave = ["ssh", "-o", f"ControlPath={control}", "-O", "exit", HOST]
                subprocess.run(leave, capture_output=True, check=False)

    def running(self):
        """The command lines of what runs there."""
        marker = f"XDG_CACHE_HOME={self.cache}".encode()
        found = []
        for process in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                if marker in (process / "environ").read_bytes().split(b"\0"):
                    words = (process / "cmdline").read_bytes().replace(b"\0", b" ").decode()
                    if words and "sshd" not in words:
                        found.append(words)
        return found

    def _start(self):
        command = [str(SSHD), "-D", "-e", "-f", str(self.folder / "sshd_config")]
        with (self.folder / "sshd.log").open("wb") as log:
            process = subprocess.Popen(command, stderr=log)
        until = time.monotonic() + _STARTS_S
        while time.monotonic() < until and process.poll() is None:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self._port)):
                return process
            time.sleep(0.02)
        process.kill()
        raise RuntimeError((self.folder / "sshd.log").read_text())


def _free_port():
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        return unused.getsockname()[1]


@contextlib.contextmanager
def ssh_server(folder, *, has_modelmon=True):
    """A server for the time being."""
    server = SshServer(folder, has_modelmon=has_modelmon)
    try:
        yield server
    finally:
        server.close()
