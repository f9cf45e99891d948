"""Modules and names that other systems lack: nothing that a person starts there needs them."""

import subprocess
import sys

import pytest

# Packages of others have taken what this system has before it is taken away from our own modules.
ELSEWHERE = """
import ctypes, mmap, os, select, shutil, signal, sys, time
from importlib import import_module
from types import SimpleNamespace

system, model = sys.argv[1:]

def main_of_all():
    for entry in ("worker.supervisor", "watch.__main__", "load.loader", "probe.process", "measure"):
        import_module(f"modelmon.core.{entry}")
    import_module("modelmon.core.remote.ends")
    import_module("modelmon.gui.shell.app")
    return import_module("modelmon.core.cli.main").main

def no_key(*_):
    raise OSError("there is no such key")

class Library(ctypes.CDLL):
    def __init__(self, name, *arguments, **named):
        if name is None:
            raise TypeError("there is no such library")
        super().__init__(name, *arguments, **named)

LINUX = {
    os: "O_DIRECT O_PATH memfd_create pidfd_open posix_fadvise sched_getaffinity setns unshare",
    mmap: "MADV_HUGEPAGE MADV_NOHUGEPAGE MAP_POPULATE",
    select: "epoll",
    time: "CLOCK_BOOTTIME",
}
POSIX = {
    os: "O_CLOEXEC O_DIRECTORY O_NONBLOCK fork getegid geteuid getgid getpgrp getuid killpg mkfifo"
    " pread preadv setsid tcgetpgrp waitid",
    mmap: "MAP_ANONYMOUS MAP_PRIVATE MAP_SHARED PROT_READ PROT_WRITE MADV_RANDOM MADV_SEQUENTIAL",
    select: "poll",
    signal: "SIGALRM SIGBUS SIGCHLD SIGCONT SIGHUP SIGKILL SIGPIPE SIGSTOP SIGXFSZ setitimer",
    time: "clock_gettime_ns CLOCK_MONOTONIC",
}
main = main_of_all()
main(["--help"])
for name in [name for name in sys.modules if name.partition(".")[0] == "modelmon"]:
    del sys.modules[name]
lacks = [LINUX]
if system == "win32":
    lacks.append(POSIX)
    ctypes.CDLL = Library
    for name in "curses fcntl grp pty pwd readline resource syslog termios tty".split():
        sys.modules[name] = None
    sys.modules["winreg"] = SimpleNamespace(HKEY_LOCAL_MACHINE=0, OpenKey=no_key)
for module, names in (each for lack in lacks for each in lack.items()):
    for name in names.split():
        if hasattr(module, name):
            delattr(module, name)
sys.platform = system
main = main_of_all()
asked = (["--help"], ["inspect", model], ["doctor", model], ["watch", model, "--", "true"])
answers = [main(words) for words in asked]
os.geteuid, ctypes.CDLL = (lambda: 501), Library
print([*answers, main(["demo", "cache"])])
"""


@pytest.mark.parametrize("system", ["darwin", "win32"])
def test_that_nothing_needs_what_another_system_lacks(sample, system):
    command = [sys.executable, "-P", "-c", ELSEWHERE, system, str(sample)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "Other programs can be watched on Linux only." in done.stderr
    assert "Simulated storage needs Linux." in done.stderr
    assert done.stdout.splitlines()[-1] == "[0, 0, 0, 2, 1]", done.stderr
