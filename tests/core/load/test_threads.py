"""Imports within a load, which Ctrl-C may meet."""

import os
import subprocess
import sys

import pytest

INTERRUPTED = """
import os, signal
os.kill(os.getpid(), signal.SIGINT)
whole = True
"""
IMPORTS = """
from modelmon.core.load.threads import imported
try:
    imported("interrupted")
except KeyboardInterrupt:
    print("stopped")
print(imported("interrupted").whole)
"""
LOADS = """
import sys
from modelmon.core.torch import load_file
try:
    load_file(sys.argv[1])
except ImportError as error:
    print(error)
"""


def said(folder, script, *arguments):
    command = [sys.executable, "-P", "-c", script, *arguments]
    others = os.environ | {"PYTHONPATH": str(folder)}
    done = subprocess.run(command, env=others, capture_output=True, text=True, check=True)
    return done.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT")
def test_that_ctrl_c_leaves_no_module_half_imported(tmp_path):
    (tmp_path / "interrupted.py").write_text(INTERRUPTED)
    assert said(tmp_path, IMPORTS) == "stopped\nTrue\n"


def test_that_a_torch_that_cannot_be_imported_is_not_blamed_on_the_file(tmp_path, sample):
    (tmp_path / "torch.py").write_text("raise AttributeError('no _C')")
    assert said(tmp_path, LOADS, str(sample)) == "torch can't be imported: no _C\n"
