"""The stories, as they are played for people: what they claim is counted, and nothing is left."""

import json
import os
import signal
import subprocess
from pathlib import Path

import pytest
from tests.system.commands import MODELMON

from modelmon.core.demo import object_store
from modelmon.core.simulate import mounts

pytestmark = [
    pytest.mark.system,
    pytest.mark.skipif(bool(mounts.why_not()), reason=mounts.why_not()),
]


def command(name, folder):
    return subprocess.Popen(
        [*MODELMON, "demo", name, "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(folder)},
    )


def played(name, folder):
    """What a story said and which loads it made; it leaves nothing."""
    with command(name, folder) as demo:
        out, errors = demo.communicate()
    assert demo.returncode == 0, errors
    assert not list(folder.iterdir())
    events = [json.loads(line) for line in out.splitlines()]
    said = [each for each in events if each["type"] == "said"]
    return said, [each for each in events if each["type"] == "ran"]


@pytest.mark.long
def test_that_the_object_store_s_story_holds(tmp_path):
    said, ran = played("object-store", tmp_path)
    shared, own = (
        [each for each in ran if each["label"] == label]
        for label in ("shared descriptor", "own descriptors")
    )
    assert len(shared) == len(own) == object_store.PAIRS
    gets = [[int(each["what"].split()[0]) for each in runs] for runs in (shared, own)]
    assert min(gets[0]) >= 10 * max(gets[1])
    assert min(each["duration_ns"] for each in shared) >= 10 * max(
        each["duration_ns"] for each in own
    )
    ahead = next(each for each in ran if "read ahead" in each["label"])
    assert int(ahead["what"].split()[0]) <= max(gets[1])
    findings = [each["text"] for each in said if each["look"] == "finding"]
    assert findings[0].startswith("Use own descriptors")
    assert any("launch" in each["text"] for each in said if each["look"] == "advice")


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("moment", ["said", "progress", "ran"])
def test_that_a_story_that_is_stopped_leaves_nothing(tmp_path, moment, sent):
    with command("object-store", tmp_path) as demo:
        for line in demo.stdout:
            if json.loads(line)["type"] == moment:
                break
        demo.send_signal(sent)
        demo.communicate()
    assert demo.returncode == 130
    assert not list(tmp_path.iterdir())
    assert str(tmp_path) not in Path("/proc/self/mounts").read_text()


def test_that_what_a_killed_story_left_is_removed_by_the_next(tmp_path):
    for kill in (True, False):
        with command("object-store", tmp_path) as demo:
            for line in demo.stdout:
                if json.loads(line)["type"] == "ran":
                    break
            demo.send_signal(signal.SIGKILL if kill else signal.SIGINT)
            demo.communicate()
    assert not list(tmp_path.iterdir())
