"""A kernel without cachestat(2), as before Linux 6.5, for a command and all that it starts.

python old_kernel.py COMMAND...
"""

from __future__ import annotations

import ctypes
import errno
import os
import sys

_CACHESTAT = 451  # on all processors
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


def forget_cachestat() -> None:
    """From now on the kernel says of it that there is no such call; raises OSError."""
    instructions = (_Instruction * 4)(
        (_LOAD_NUMBER, 0, 0, 0),
        (_JUMP_IF_EQUAL, 0, 1, _CACHESTAT),
        (_RETURN, 0, 0, _ERROR | errno.ENOSYS),
        (_RETURN, 0, 0, _ALLOW),
    )
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
    forget_cachestat()
    os.execvp(sys.argv[1], sys.argv[1:])
