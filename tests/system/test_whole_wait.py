"""The phases of programs that print as real ones do, and what they did in each."""

import fcntl
import json
import os
import re
import socket
import sys
import time
from itertools import pairwise
from pathlib import Path
from threading import Thread

import pytest
from tests.system.commands import command, typed
from tests.system.needs import needs_fuse
from tests.system.runs import until

from modelmon.core.errors import EXIT_LOAD_FAILED
from modelmon.core.explain.program_report import judge
from modelmon.core.load.config import PROGRAM, LoadConfig
from modelmon.core.model.sample import write_sample
from modelmon.core.probe.probe import UNKNOWN_LIMITS
from modelmon.core.simulate.cost import Cost
from modelmon.core.simulate.store import served
from modelmon.core.units import MIB
from modelmon.core.worker.client import run_job
from modelmon.core.worker.events import Job, WatchedProgram
from modelmon.core.worker.result import summarise
from modelmon.core.worker.wait_parts import READING

SCRIPT = Path(__file__).with_name("somebodys_program.py")
HELD_S = 2.0
LLAMA = """\
say load_model: loading model 'model.gguf'
sleep 0.2
say llama_model_loader: loaded meta data with 21 key-value pairs and 111 tensors
say load_tensors: loading model tensors, this can take a while... (load_mode = mmap)
read
say llama_context: constructing llama_context
fill 0.3
say common_init_: warming up the model with an empty run - please wait ...
compute 1.5
say srv load_model: initializing slots, n_slots = 4
sleep 0.1
"""
VLLM = """\
sleep 0.3
say INFO vLLM API server version 0.9.1
sleep 0.3
say INFO Starting to load model m...
read
say INFO Loading weights took 0.05 seconds
sleep 0.2
say INFO Model loading took 1.5 GiB and 0.30 seconds
compute 1.2
say INFO torch.compile takes 1.20 s in total
sleep 0.4
say INFO Graph capturing finished in 0.4 secs, took 0.5 GiB
"""


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """A model that takes some tens of milliseconds to read."""
    path = tmp_path_factory.mktemp("model") / "m.safetensors"
    return write_sample(path, "safetensors", 64 * MIB, 4, 0)


def result_of(model, notes, steps):
    """What came of a start that does these steps, and when each of them began, in ns."""
    (notes / "start").write_text(steps)
    command = [sys.executable, str(SCRIPT), "starts-as-told", str(model), str(notes)]
    job = Job(
        str(model),
        LoadConfig(library=PROGRAM),
        cache="warm",
        allow_busy=True,
        condition_memory=False,
        program=WatchedProgram("somebody's program", "exit"),
    )
    result = summarise(run_job(job, command=command))
    lines = (notes / "times").read_text().splitlines()
    times = [int(line.partition(" ")[0]) for line in lines]
    return result, [later - before for before, later in pairwise(times)]


def longest(result):
    return max(result.parts, key=lambda part: part.duration_ns)


def test_that_the_wait_is_divided_as_the_program_says(model, tmp_path):
    result, took_ns = result_of(model, tmp_path, LLAMA)
    parts = {part.name: part for part in result.parts}
    assert sum(part.duration_ns for part in result.parts) == result.wall_ns
    assert [part.end_ns for part in result.parts[:-1]] == [
        part.begin_ns for part in result.parts[1:]
    ]
    assert READING in parts
    warming_up = longest(result)
    assert (warming_up.name, warming_up.program) == ("warm-up", "llama.cpp")
    # The line after it can't be read before it is printed.
    assert warming_up.duration_ns > 0.5 * took_ns[8]
    verdict = judge(result, UNKNOWN_LIMITS)
    assert "warming up" in verdict.headline
    assert "--no-warmup" in verdict.next_step or "processors" in verdict.next_step
    assert parts["kv-cache"].grown_bytes


def test_that_times_that_a_program_tells_are_its_phases(model, tmp_path):
    result, _ = result_of(model, tmp_path, VLLM)
    assert sum(part.duration_ns for part in result.parts) == result.wall_ns
    names = [part.name for part in result.parts]
    assert names[0] == "imports"
    assert names.index("compile") < names.index("graphs")
    assert longest(result).name == "compile"
    assert "VLLM_CACHE_ROOT" in judge(result, UNKNOWN_LIMITS).next_step or (
        "processors" in judge(result, UNKNOWN_LIMITS).next_step
    )


def test_that_silence_of_any_program_is_named_by_its_last_line(model, tmp_path):
    steps = "say hello\nread\nsay tokenizer is loaded\nsleep 1.5\nsay ready\n"
    result, _ = result_of(model, tmp_path, steps)
    assert longest(result).line == "tokenizer is loaded"
    headline = judge(result, UNKNOWN_LIMITS).headline
    assert headline.endswith("after “tokenizer is loaded”")


def test_that_a_second_start_tells_what_only_the_first_pays_for(model, tmp_path):
    (tmp_path / "start").write_text(LLAMA.replace("compute 1.5", "compute 0.3"))
    started = command("starts-as-told", model, tmp_path)
    asked = ("watch", model, "--cache", "warm", "--ready", "exit", "--starts", "2", "--no-history")
    asked += ("--no-memory-prep",)
    done = typed(*asked, "--json", "--", *started)
    found = json.loads(done.stdout)
    once, again = found["result"], found["second_start"]["result"]
    assert (once["cache_asked"], again["cache_asked"]) == ("warm", "as-is")
    assert [part["name"] for part in again["parts"]][-2:] == ["warm-up", "server"]
    done = typed(*asked, "--", *started)
    assert " instead of " in done.stdout
    assert re.search(r"^warming up +[\d.]+ \w+, then [\d.]+ \w+$", done.stdout, re.MULTILINE)


def test_that_a_second_start_that_is_not_ready_in_time_is_no_time_of_it(model, tmp_path):
    script = f"cat {model} > there; if [ -e mark ]; then exec sleep 60; fi; touch mark"
    asked = ("watch", model, "--ready", "exit", "--starts", "2", "--limit", "4", "--no-history")
    done = typed(*asked, "--", "sh", "-c", f"cd {tmp_path}; {script}")
    assert done.returncode == EXIT_LOAD_FAILED
    assert " instead of " not in done.stdout
    assert "wasn't ready after 4.00 s" in done.stdout


def longer_than_since(begun_s):
    """Wait longer than a program on a busy machine took to begin."""
    time.sleep(HELD_S + 2 * (time.monotonic() - begun_s))


@pytest.fixture
def held_lock(tmp_path):
    """The name of a file whose lock is held for a while after the program has asked for it."""
    path, times, begun_s = tmp_path / "hub.lock", tmp_path / "times", time.monotonic()
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)

        def release():
            until(lambda: times.exists() and "lock" in times.read_text())
            longer_than_since(begun_s)
            fcntl.flock(file, fcntl.LOCK_UN)

        released = Thread(target=release, daemon=True)
        released.start()
        yield path
        released.join()


@pytest.fixture
def slow_server():
    """The port of a server that answers after a while."""
    begun_s = time.monotonic()
    with socket.create_server(("", 0)) as server:

        def answer():
            connection, _ = server.accept()
            with connection:
                longer_than_since(begun_s)
                connection.sendall(b"x")

        Thread(target=answer, daemon=True).start()
        yield server.getsockname()[1]


def test_that_the_lock_of_another_process_is_named(model, tmp_path, held_lock):
    steps = f"say looking for the model\nlock {held_lock}\nsay found\nread\n"
    result, _ = result_of(model, tmp_path, steps)
    verdict = judge(result, UNKNOWN_LIMITS)
    assert longest(result).line == "looking for the model"
    assert verdict.headline.endswith("mostly waiting for the lock of a file")
    assert "lock" in verdict.next_step


def test_that_an_answer_that_is_waited_for_is_named(model, tmp_path, slow_server):
    steps = f"say asking the hub\ndownload {slow_server}\nsay it is\nread\n"
    result, _ = result_of(model, tmp_path, steps)
    verdict = judge(result, UNKNOWN_LIMITS)
    assert verdict.headline.endswith("after “asking the hub”, mostly waiting for the network")
    assert "HF_HUB_OFFLINE" in verdict.next_step


def test_that_an_answer_that_is_polled_for_is_named(model, tmp_path, slow_server):
    if (host := own_address()) is None:
        pytest.skip("this machine has no address but its loopback's")
    steps = f"say asking the hub\npoll {host} {slow_server}\nsay it is\nread\n"
    result, _ = result_of(model, tmp_path, steps)
    headline = judge(result, UNKNOWN_LIMITS).headline
    assert headline.endswith("after “asking the hub”, mostly waiting for the network")


def own_address():
    """An address of this machine as others see it; None without one."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        try:
            asked.connect(("192.0.2.1", 9))  # sends nothing
        except OSError:
            return None
        return asked.getsockname()[0]


@needs_fuse
def test_that_imports_from_a_slow_mount_are_named(model, tmp_path):
    modules, point = tmp_path / "modules.bin", tmp_path / "mount"
    modules.write_bytes(bytes(MIB))
    point.mkdir()
    with served(
        modules, point, Cost(first_byte_s=0.01, bytes_per_s=100 * MIB, readahead_bytes=4096)
    ) as store:
        steps = f"import {store.path}\nsay INFO vLLM API server version 0.9.1\nread\nsleep 1\n"
        result, _ = result_of(model, tmp_path, steps)
    verdict = judge(result, UNKNOWN_LIMITS)
    assert verdict.headline.endswith("starting and importing, mostly waiting for storage")
    assert "keep them on a fast local disk" in verdict.next_step
    assert result.libraries.files > 2
    assert result.libraries.mount_point in verdict.next_step


def test_that_more_threads_than_processors_are_named(model, tmp_path):
    many = 8 * len(os.sched_getaffinity(0))
    steps = f"read\nsay converting\nthreads {many}\nsay converted\n"
    result, _ = result_of(model, tmp_path, steps)
    verdict = judge(result, UNKNOWN_LIMITS)
    assert verdict.headline.endswith("after “converting”, mostly waiting for a processor")
    assert "fewer threads" in verdict.next_step
