"""How many faults the tests find: some are put into a copy of the program, one at a time.

    .venv/bin/python -m tests.mutants --count 100 --seed 1

A fault lies in a line that a test runs in its own process, and only the tests that run it are
started, the quickest first. Which do is recorded once for the same sources, in build/.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ET
from collections import defaultdict
from math import inf
from pathlib import Path
from typing import NamedTuple

from coverage import CoverageData

ROOT = Path(__file__).parents[1]
PYTEST = [sys.executable, "-m", "pytest", "-q", "-p", "no:xdist"]
MOST_TESTS_S = 60.0
"""Of the tests that run a line, the quickest that take so long together are started."""

FLIPPED = {
    ast.Eq: "!=", ast.NotEq: "==", ast.Lt: ">=", ast.GtE: "<", ast.Gt: "<=", ast.LtE: ">",
    ast.Is: "is not", ast.IsNot: "is", ast.In: "not in", ast.NotIn: "in",
}  # fmt: skip
NEVER = "TYPE_CHECKING"
SWAPPED = {ast.Add: "-", ast.Sub: "+"}

Lines = dict[tuple[str, int], list[str]]


class Fault(NamedTuple):
    """What is put in place of a piece of a file."""

    path: str
    line: int
    start: int
    end: int
    text: str


def faults_in(path, folder):
    """Every fault that may be put into a file."""
    source, starts = (folder / path).read_bytes(), [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for node in ast.walk(ast.parse(source)):
        for piece, text in changes(node):
            start = starts[piece.lineno - 1] + piece.col_offset
            end = starts[piece.end_lineno - 1] + piece.end_col_offset
            yield Fault(path, piece.lineno, start, end, text)


def changes(node):
    """Pieces of a statement or expression, and what each becomes."""
    match node:
        case ast.Compare(left, [operator], [right]) if type(operator) in FLIPPED:
            flipped = FLIPPED[type(operator)]
            yield node, f"(({ast.unparse(left)}) {flipped} ({ast.unparse(right)}))"
        case ast.BinOp(left, operator, right) if type(operator) in SWAPPED:
            swapped = SWAPPED[type(operator)]
            yield node, f"(({ast.unparse(left)}) {swapped} ({ast.unparse(right)}))"
        case ast.Constant(bool() as value):
            yield node, str(not value)
        case ast.Constant(int() | float() as value):
            yield node, f"({value + 1!r})"
        case ast.If(test) | ast.While(test) | ast.IfExp(test) if NEVER not in ast.unparse(test):
            yield test, f"(not ({ast.unparse(test)}))"
        case ast.Return(ast.expr() as value) if ast.unparse(value) != "None":
            yield value, "None"


def copied(folder):
    """Copy what git knows of or would add; a sum of all that is in it."""
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listing, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    digest = hashlib.sha256()
    for name in sorted(filter(None, names.split("\0"))):
        path = ROOT / name
        if path.is_symlink() or path.is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, folder / name, follow_symlinks=False)
            digest.update(name.encode())
            digest.update(bytes(path.readlink()) if path.is_symlink() else path.read_bytes())
    return digest.hexdigest()


def run(folder, command, limit_s=None):
    """The status of a command in the copy; None where it took too long."""
    env = os.environ | {"PYTHONPATH": str(folder / "src"), "QT_QPA_PLATFORM": "offscreen"}
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "process_group": 0}
    with subprocess.Popen(command, cwd=folder, env=env, **quiet) as running:
        try:
            return running.wait(limit_s)
        except subprocess.TimeoutExpired:
            return None
        finally:
            if running.poll() is None:
                os.killpg(running.pid, 9)


def recorded(folder, name, args):
    """Which tests run each line, the quickest first, and how long each takes."""
    kept, times = (ROOT / "build" / f"mutants-{name}.{kind}" for kind in ("coverage", "xml"))
    if not times.exists():
        kept.parent.mkdir(exist_ok=True)
        include = f"--include={','.join(f'{each}/*' for each in args.sources)}"
        command = [sys.executable, "-m", "coverage", "run", f"--data-file={kept}", include]
        command += [*PYTEST[1:], "-m", args.marks, *args.tests]
        if run(folder, [*command, f"--junitxml={folder}/times.xml"]) != 0:
            say("Some tests fail without any fault: they are left out.\n")
        shutil.copy(folder / "times.xml", times)
    took_s = defaultdict(float)
    for case in ET.parse(times).iter("testcase"):
        test = f"{case.get('classname')}.{case.get('name', '').partition('[')[0]}"
        found = {each.tag for each in case}
        took_s[test] += inf if found & {"failure", "error"} else float(case.get("time", 0))
    data = CoverageData(str(kept))
    data.read()
    passed = {test for test, seconds in took_s.items() if seconds < inf}
    lines = {
        (path, line): sorted(passed.intersection(tests), key=took_s.get)
        for path in data.measured_files()
        for line, tests in data.contexts_by_lineno(path).items()
    }
    return lines, took_s


def killed(folder, fault, tests, limit_s, marks):
    """Whether a test fails with this fault, or hangs."""
    path = folder / fault.path
    source, begun_ns = path.read_bytes(), time.time_ns()
    try:
        path.write_bytes(source[: fault.start] + fault.text.encode() + source[fault.end :])
        # No bytecode of another fault of the same size and second is taken for that of this one.
        os.utime(path, ns=(begun_ns, begun_ns + random.randrange(10**9, 10**15)))
        status = run(folder, [*PYTEST, "-x", "--timeout=60", "-m", marks, *tests], limit_s)
    finally:
        path.write_bytes(source)
    assert status != 5, f"none of these is collected: {tests}"
    say("S" if status == 0 else ".")
    return status != 0


def say(text):
    sys.stdout.write(text)
    sys.stdout.flush()


def main():
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--count", type=int, default=100, help="how many faults")
    parser.add_argument("--seed", type=int, default=1, help="which")
    parser.add_argument("--marks", default="not long and not soak", help="which tests")
    parser.add_argument("--tests", nargs="+", default=["tests"], help="and where")
    parser.add_argument("--sources", nargs="+", default=["core", "gui"], help="folders")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="mutants-", dir=os.environ.get("TMPDIR")) as temporary:
        folder = Path(temporary)
        asked = f"{copied(folder)} {args.marks} {args.tests} {args.sources}"
        lines, took_s = recorded(folder, hashlib.sha256(asked.encode()).hexdigest()[:12], args)
        paths = sorted({path for path, _ in lines})
        faults = [each for path in paths for each in faults_in(path, folder)]
        possible = [fault for fault in faults if lines.get(fault[:2])]
        chosen = random.Random(args.seed).sample(possible, min(args.count, len(possible)))
        survivors = []
        for fault in chosen:
            tests, sum_s = [], 0.0
            for test in lines[fault[:2]]:
                sum_s += took_s[test]
                if not tests or sum_s < MOST_TESTS_S:
                    module, _, function = test.rpartition(".")
                    tests.append(f"{module.replace('.', '/')}.py::{function}")
            if not killed(folder, fault, tests, 3 * min(sum_s, MOST_TESTS_S) + 120, args.marks):
                survivors.append(fault)
        found = len(chosen) - len(survivors)
        say(f"\n{found} of {len(chosen)} faults found, of {len(possible)} possible.\n")
        for fault in survivors:
            was = (folder / fault.path).read_bytes()[fault.start : fault.end].decode()
            say(f"{fault.path}:{fault.line}: {' '.join(was.split())}  ->  {fault.text}\n")


if __name__ == "__main__":
    main()
