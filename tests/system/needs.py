"""What a test is skipped without, and what is left to `make test-long`."""

import os
import shutil
import sys
from functools import partial

import pytest

from modelmon.core.simulate import mounts

on_linux = pytest.mark.skipif(sys.platform != "linux", reason="needs /proc and Linux's page cache")
needs_fuse = pytest.mark.skipif(bool(mounts.why_not()), reason=mounts.why_not())
needs_root = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0 or shutil.which("setpriv") is None,
    reason="only root can become another user, and mount",
)
rarely = partial(pytest.param, marks=pytest.mark.long)
"""A case similar to one that runs with each change."""
