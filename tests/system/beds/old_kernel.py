"""A kernel without cachestat(2), as before Linux 6.5, or with the filter of a container, for a
command and all that it starts.

python old_kernel.py COMMAND...
python old_kernel.py EPERM:cachestat,mincore,fadvise64 COMMAND...
"""

import ctypes
import errno
import os
import platform
import sys

_X86 = platform.machine() in ("x86_64", "AMD64")
_NUMBERS = {
    "cachestat": 451,  # on all processors
    "pidfd_open": 434,
    "mincore": 27 if _X86 else 232,
    "fadvise64": 221 if _X86 else 223,
}
_PR_SET_NO_NEW_PRIVS, _PR_SET_SECCOMP, _SECCOMP_MODE_FILTER = 38, 22, 2
_LOAD_NUMBER, _JUMP_IF_EQUAL, _RETURN = 0x20, 0x15, 0x06
_ALLOW, _ERROR = 0x7FFF0000, 0x00050000


class _Instruction(ctypes.Structure):
    _fields_ = [
        ("code", ctypes.c_uint16),
        ("jump_true", ctypes.c_uint8),
        ("jump_false", ctypes.c_uint8),
        ("value", ctypes.c_uint32),
    ]


class _Filter(ctypes.Structure):
    _fields_ = [
        ("length", ctypes.c_uint16),
        ("instructions", ctypes.POINTER(_Instruction)),
    ]


def refuse(calls, number):
    """From now on the kernel answers these calls with this error; raises OSError."""
    jumps = [(_JUMP_IF_EQUAL, len(calls) - at, 0, _NUMBERS[call]) for at, call in enumerate(calls)]
    lines = [
        (_LOAD_NUMBER, 0, 0, 0),
        *jumps,
        (_RETURN, 0, 0, _ALLOW),
        (_RETURN, 0, 0, _ERROR | number),
    ]
    instructions = (_Instruction * len(lines))(*lines)
    libc = ctypes.CDLL(None, use_errno=True)
    program = _Filter(len(instructions), instructions)
    for request in (
        (_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0),
        (_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.byref(program), 0, 0),
    ):
        if libc.prctl(*request):
            code = ctypes.get_errno()
            raise OSError(code, os.strerror(code))


if __name__ == "__main__":
    refused, *command = sys.argv[1:]
    if ":" not in refused:
        refused, command = "ENOSYS:cachestat", [refused, *command]
    error, _, calls = refused.partition(":")
    refuse(calls.split(","), getattr(errno, error))
    os.execvp(command[0], command)
