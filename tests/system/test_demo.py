"""The stories, as they are played for people: what they claim is counted, and nothing is left."""

import json
import os
import re
import signal
import subprocess
from html import unescape
from pathlib import Path

import pytest
from tests.json_schema import checked
from tests.system.commands import MODELMON
from tests.system.needs import needs_fuse, rarely

from modelmon.core.demo import cache, gguf, object_store
from modelmon.core.units import three_figures

pytestmark = needs_fuse


def command(name, folder, *more):
    return subprocess.Popen(
        [*MODELMON, "demo", name, "--json", *more],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(folder)},
    )


def played(name, folder):
    """What a story said and which loads it made; it leaves nothing but a report with all that."""
    page = folder / "page.html"
    with command(name, folder, "--out", str(page)) as demo:
        out, errors = demo.communicate()
    assert demo.returncode == 0, errors
    assert list(folder.iterdir()) == [page]
    text = page.read_text()
    shown = unescape(re.sub(r"<[^>]*>", "\n", text)).splitlines()
    (data,) = json.loads(re.search(r'id="data">\n(.*)\n</script>', text)[1])
    kept = [each for each in map(json.loads, out.splitlines()) if each["type"] != "progress"]
    assert data == {"story": name, "events": kept}
    for each in kept:
        assert each.get("text", each.get("what")) in "\n".join(shown)
    events = [checked("demo", line) for line in out.splitlines()]
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
    gets = [[each["counts"]["seeks"] for each in runs] for runs in (shared, own)]
    assert all(f"{each['counts']['seeks']} GETs" in each["what"] for each in shared)
    assert min(gets[0]) >= 10 * max(gets[1])
    assert min(each["duration_ns"] for each in shared) >= 10 * max(
        each["duration_ns"] for each in own
    )
    ahead = next(each for each in ran if "read ahead" in each["label"])
    assert ahead["counts"]["seeks"] <= max(gets[1])
    findings = [each["text"] for each in said if each["look"] == "finding"]
    assert findings[0].startswith("Use own descriptors")
    assert any("launch" in each["text"] for each in said if each["look"] == "advice")


@pytest.mark.long
def test_that_the_cache_s_story_holds(tmp_path):
    said, ran = played("cache", tmp_path)
    what = {each["label"]: each["what"] for each in ran}
    assert what["get_slice, untouched"].endswith("not a load")
    assert "cached" in what["get_tensor, from the page cache"]
    for touched in ("get_slice, touched", "get_tensor, touched"):
        assert "100% read from the disk" in what[touched]
    took = {each["label"]: each["duration_ns"] for each in ran}
    least_ns = cache.MODEL_BYTES / cache.COST.bytes_per_s * 1e9
    assert took["get_slice, untouched"] < least_ns
    assert min(took["get_slice, touched"], took["get_tensor, touched"]) >= 0.95 * least_ns
    findings = [each["text"] for each in said if each["look"] == "finding"]
    assert "isn't a load" in findings[0]
    # Why the touched load doesn't reach the disk's limit: what else its time went to.
    (touched,) = (each["spent"] for each in ran if each["label"] == "get_tensor, touched")
    assert sum(touched.values()) == pytest.approx(1, abs=0.01)
    (spent,) = (each["text"] for each in said if "time goes" in each["text"])
    assert f"{touched['disk']:.0%} disk" in spent


@pytest.mark.long
def test_that_the_gguf_s_story_holds(tmp_path):
    said, ran = played("gguf", tmp_path)
    took = {each["label"]: each["duration_ns"] for each in ran}
    seeks = {each["label"]: each["counts"]["seeks"] for each in ran}
    # On a busy machine decoding waits for processors.
    decoding = {
        each["label"]: each["spent"]["decode"] + each["spent"].get("busy-processors", 0)
        for each in ran
    }
    mapped, in_order = (f"hard disk, Q4, {way}" for way in ("map, 4 threads", "in order"))
    assert seeks[mapped] >= 50 * seeks[in_order]
    waited_ns = seeks[mapped] * gguf.HARD_DISK.first_byte_s * 1e9
    assert took[mapped] >= waited_ns
    # The same decoding is more of the time where the disk is faster, and Q4 has more of it.
    q4, q8 = (f"fast disk, {name}, in order" for name in ("Q4", "Q8"))
    assert decoding[q4] > decoding[in_order] > decoding[mapped]
    assert decoding[q4] >= 0.5
    assert decoding[q4] * took[q4] > decoding[q8] * took[q8]
    # It tells one thing first, by few loads.
    (finding,) = (each["text"] for each in said if each["look"] == "finding")
    assert f"{three_figures(took[mapped] / took[in_order])}× as fast" in finding
    assert len(ran) <= 5
    # What is called decoding alone is decoding alone.
    (told,) = (each["text"] for each in said if "takes" in each["text"] and "Q4's" in each["text"])
    (fast,) = (each["spent"] for each in ran if each["label"] == q4)
    names = ("decode", "busy-processors") if "a processor" in told else ("decode",)
    assert f"{sum(fast[name] for name in names):.0%} of Q4's time" in told


def stopped(folder, moment, sent):
    """Play a story up to a moment, and end it; its exit code."""
    with command("object-store", folder) as demo:
        for line in demo.stdout:
            if json.loads(line)["type"] == moment:
                break
        demo.send_signal(sent)
        demo.communicate()
    return demo.returncode


@pytest.mark.parametrize(
    ("moment", "sent"),
    [("progress", signal.SIGTERM), *map(rarely, ("said", "progress"), (signal.SIGINT,) * 2)],
)
def test_that_a_story_that_is_stopped_leaves_nothing(tmp_path, moment, sent):
    assert stopped(tmp_path, moment, sent) == 130
    assert not list(tmp_path.iterdir())
    assert str(tmp_path) not in Path("/proc/self/mounts").read_text()


def test_that_what_a_killed_story_left_is_removed_by_the_next(tmp_path):
    assert stopped(tmp_path, "ran", signal.SIGKILL) == -signal.SIGKILL
    assert list(tmp_path.iterdir())
    assert stopped(tmp_path, "ran", signal.SIGINT) == 130
    assert not list(tmp_path.iterdir())
