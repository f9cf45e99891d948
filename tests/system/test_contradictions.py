"""All that modelmon says of one storage holds together: the checker itself, and walks over beds."""

import importlib
import random
from pathlib import Path

import pytest
from tests.system.contradictions import contradictions

S, MS, MB = 10**9, 10**6, 10**6
MORE_READERS = "Use larger requests in file order, and more readers, each with its own descriptor."
BEDS = ("object", "disk", "server", "throttled", "sshfs", "here")


def run(strategy, *walls_ns, **figures):
    """Cold loads that count."""
    common = {"strategy": strategy, "counts": True, "cache_state": "cold", "load_bytes": 100 * MB}
    return [common | {"wall_ns": ns, "pair": at} | figures for at, ns in enumerate(walls_ns)]


def said(result, remedy="", clause="", kind="device-latency", **evidence):
    """What `run` says of a load."""
    figures = [{"name": name, "value": value} for name, value in evidence.items()]
    found = {"kind": kind, "clause": clause, "remedy": remedy, "evidence": figures}
    return {"result": result, "bottleneck": found if kind else None, "least_reading_ns": None}


def doctor(readers_bytes_per_s=(50 * MB, 25 * MB), remedy="", **more):
    """What `doctor --probe` says, with rates of 1 and 8 readers."""
    rates = zip((1, 8), readers_bytes_per_s, strict=True)
    storage = {"readers": [{"readers": n, "bytes_per_s": rate} for n, rate in rates]}
    storage["latency"] = {"p50_ns": 13.5 * MS}
    return {"probe": {"storage": storage, "best": more}, "findings": [{"remedy": remedy}]}


def predicting(*, remedy="", **cold_ns):
    """The same with its table of strategies."""
    rows = [
        {"strategy": name, "measured": True, "cold": {"ns": ns}} for name, ns in cold_ns.items()
    ]
    return doctor(remedy=remedy) | {"expected": rows}


def compared(a_ns, b_ns, sentence, reason="", winner="undecided", **verdict):
    """What `compare` says of mmap and parallel."""
    arms = {"a": run("mmap", *a_ns), "b": run("parallel", *b_ns)}
    summed = {
        f"arm_{arm}": {
            "strategy": runs[0]["strategy"],
            "expected_ns": sorted(run["wall_ns"] for run in runs)[len(runs) // 2],
            "config": {"readers": 8 if arm == "b" else 1},
            "bottleneck": {"kind": "undecided", "clause": "", "remedy": ""},
        }
        for arm, runs in arms.items()
    }
    verdict |= {"sentence": sentence, "reason": reason, "winner": winner}
    return summed | {f"runs_{arm}": runs for arm, runs in arms.items()} | {"verdict": verdict}


def best(label, sentence, *reasons, **usual):
    """What `best` says, and how mmap stands."""
    mmap = {"label": "mmap", "runs": 5, "against": label, "io_wait_share": 0.0} | usual
    first = {"label": label, "runs": 5, "expected_ns": 100 * MS}
    answer = {"label": label, "sentence": sentence, "reasons": list(reasons)}
    return {"recommendation": answer, "standings": [first, mmap], "runs": []}


FOUND = {
    "more readers where they hurt": {
        "doctor": doctor(),
        "runs": {"parallel": said(run("parallel", 6 * S)[0], MORE_READERS)},
    },
    "measure what was measured": {
        "doctor": doctor(),
        "runs": {"mmap": said(run("mmap", S)[0], "Measure the disk: modelmon doctor --probe.")},
    },
    "one reader where several help": {
        "doctor": doctor((50 * MB, 150 * MB), "Use sequential (one reader, front to back)."),
    },
    "several readers win where they are slower": {
        "doctor": doctor(),
        "texts": {"doctor": "8 readers are slower here than one."},
        "compare": compared([900 * MS], [400 * MS], "Use parallel: 2.2× as fast", winner="B"),
    },
    "a remedy that runs deny": {
        "runs": {
            "mmap": said(run("mmap", 1 * S)[0], "Use sequential, front to back."),
            "sequential": said(run("sequential", 1.6 * S)[0]),
        },
    },
    "nothing helps, but something did": {
        "runs": {
            "mmap": said(run("mmap", 2 * S)[0], "Only a faster disk or a smaller file helps."),
            "direct": said(run("direct", 1 * S)[0]),
        },
    },
    "a gain that predictions deny": {
        "doctor": predicting(remedy="Use direct.", mmap=1 * S, direct=2 * S),
    },
    "a prediction that runs deny": {
        "doctor": predicting(mmap=2 * S, direct=1 * S),
        "runs": {name: said(run(name, ns)[0]) for name, ns in (("mmap", S), ("direct", 2 * S))},
    },
    "a ratio beside two times": {
        "texts": {"compare": "Use auto: 1.5× as fast as mmap\n465 ms instead of 848 ms."},
    },
    "a share beside two times": {
        "texts": {"best": "Keep mmap: auto saves only 3%\n690 ms instead of 811 ms."},
    },
    "a ratio beside the times of the table": {
        "compare": compared(
            [848 * MS] * 5, [465 * MS] * 5, "Use parallel: 1.5× as fast as mmap", winner="B"
        ),
    },
    "a ratio of a ranking beside its times": {
        "best": best("auto", "Use auto: fastest cold start", ratio=3.0, expected_ns=150 * MS),
    },
    "use what may be slower, of a program": {
        "texts": {"tune": "Use xllamacpp mmap for now\n0.83× to 1.30× as fast as the default."},
    },
    "use what may be slower, compared": {
        "compare": compared(
            [1 * S, 2 * S], [1 * S, 2 * S], "No clear winner: use parallel for now",
            ratio_low=0.9, ratio_high=1.2,
        ),
    },
    "use what may be slower, of many": {
        "best": best("auto", "Use auto for now: about 100 ms", ratio_low=0.61, ratio_high=2.1),
    },
    "use what is no clear gain, in its reasons": {
        "best": best(
            "auto", "Use auto for now", "It is limited.",
            "No clear difference from mmap (0.61× to 2.10×).",
        ),
    },
    "use what was compared with nothing": {
        "best": best("auto", "Use auto for now: about 100 ms", runs=0),
    },
    "no winner, and no overlap": {
        "compare": compared(
            [236 * MS, 250 * MS, 260 * MS, 280 * MS, 295 * MS],
            [204 * MS, 210 * MS, 215 * MS, 220 * MS, 226 * MS],
            "No clear winner: keep mmap or compare again",
        ),
    },
    "no winner, and a range on one side": {
        "texts": {
            "window compare": "No clear winner: keep mmap\n"
            "auto likely takes 7% to 23% less time than mmap; more pairs would tell."
        },
    },
    "one outlier vetoes": {
        "compare": compared(
            [88 * MS] * 11, [156 * MS, *[62 * MS] * 10], "No clear winner: keep mmap"
        ),
    },
    "two ranges of one ratio": {
        "compare": compared([S], [S], "Use parallel", "It takes 23% to 35% less time.", "B"),
        "texts": {"window compare": "Use parallel\n\n98% confidence interval: 0.44–1.42×"},
    },
    "fastest possible, beaten": {
        "texts": {"window best": "Fastest cold\nabout 524 ms"},
        "runs": {"auto": said(run("auto", 465 * MS)[0])},
    },
    "a prediction that is far too long": {
        "texts": {"inspect": "Fastest load  about 724 ms cold, 9 ms warm (predicted)"},
        "runs": {"auto": said(run("auto", 465 * MS)[0])},
    },
    "close to a limit that was beaten": {
        "texts": {"best": "Keep mmap: all are close to the disk's limit (640 ms)."},
        "runs": {"auto": said(run("auto", 465 * MS)[0])},
    },
    "nothing is faster, but something was": {
        "runs": {
            "mmap": said(run("mmap", 2 * S)[0]),
            "direct": said(run("direct", 1 * S)[0]),
        },
        "best": best("mmap", "Keep mmap: nothing here is faster"),
    },
    "the probe's least time, beaten": {
        "doctor": doctor(cold_ns=524 * MS),
        "runs": {"auto": said(run("auto", 465 * MS)[0])},
    },
    "a curve above the limit": {
        "runs": {"auto": said(run("auto", 0.5 * S)[0], **{"storage limit": "100 MB/s"})},
    },
    "two limits of one disk": {
        "runs": {
            name: said(run(name, 5 * S)[0], clause=f"is limited by the disk's bandwidth: {rate}")
            for name, rate in (("auto", "2.53 GB/s"), ("mmap", "2.18 GB/s"))
        },
    },
    "no cause, and it waits": {
        "runs": {"mmap": said(run("mmap", S, io_wait_share=0.98)[0], kind="")},
    },
    "no cause, and it faults": {
        "doctor": doctor(),
        "runs": {"mmap": said(run("mmap", 30 * S, major_faults=1916)[0], kind="undecided")},
    },
    "as fast as possible, and the user waits": {
        "watch": {"result": {"wall_ns": 5.4 * S, "last_byte_ns": 1.1 * S}},
        "texts": {"watch": "llama-server reads about as fast as is possible here"},
    },
    "the disk is blamed, and the user waits": {
        "watch": {
            "result": {"wall_ns": 5.4 * S, "last_byte_ns": 1.1 * S},
            "bottleneck": {"kind": "device-bandwidth", "label": "storage bandwidth"},
        },
    },
    "an export of something else": {
        "compare": compared([1 * S], [1 * S], "No clear winner: keep mmap or compare again"),
        "texts": {"toml compare": 'strategy = "parallel"'},
    },
    "find best takes the loser": {
        "compare": compared([1 * S], [4 * S], "Use mmap: 4.0× as fast as parallel", winner="A"),
        "best": best("parallel", "Use parallel for now", ratio_low=1.2, ratio_high=2.0),
    },
    "a first guess that predictions deny": {
        "doctor": predicting(mmap=3 * S, parallel=2 * S, auto=1 * S),
        "compare": compared([S], [S], "Too early to tell: run at least 5 pairs"),
    },
    "more readers and fewer": {
        "doctor": {"findings": [{"remedy": "Use one reader, front to back."}]},
        "runs": {"mmap": said(run("mmap", 6 * S)[0], MORE_READERS)},
    },
    "another answer in the window": {
        "compare": compared([1 * S], [4 * S], "Use mmap: 4.0× as fast as parallel", winner="A"),
        "texts": {"window compare": "No clear winner: compare again"},
    },
}  # fmt: skip


@pytest.mark.parametrize("told", FOUND.values(), ids=FOUND)
def test_that_each_contradiction_is_found(told):
    found = contradictions(told)
    assert len(found) == 1, found


def test_that_what_agrees_is_no_contradiction():
    shared = [
        "Use parallel: 1.8× as fast as mmap",
        "465 ms instead of 848 ms (likely 1.6× to 2.0×).",
    ]
    assert not contradictions({})
    assert not contradictions(
        {
            "doctor": doctor((50 * MB, 100 * MB), "Use parallel (8 readers).", cold_ns=460 * MS),
            "runs": {
                "mmap": said(run("mmap", 850 * MS)[0], "Use several readers (parallel)."),
                "parallel": said(
                    run("parallel", 470 * MS)[0],
                    "Only a faster disk helps.",
                    "is limited by the disk's bandwidth: 215 MB/s",
                    **{"storage limit": "220 MB/s"},
                ),
            },
            "compare": compared(
                [840 * MS, 848 * MS, 860 * MS], [450 * MS, 465 * MS, 470 * MS], *shared, winner="B",
                ratio_low=1.6, ratio_high=2.0,
            ),
            "best": best("parallel", "Use parallel: fastest cold start, 465 ms",
                "1.8× as fast as mmap.", ratio=8.48, ratio_low=1.5, expected_ns=848 * MS),
            "texts": {
                "export best": "auto takes between 48% less and 65% more.\n9 ms instead of 2 s",
                "inspect": "Fastest load  about 500 ms cold, 9 ms warm (predicted)",
                "compare": "\n".join(shared),
                "window best": "Use parallel: fastest cold start, 465 ms\n1.8× as fast as mmap.",
                "compare again": "No clear winner: keep mmap\nauto takes 9% less to 8% more time.",
                "toml compare": 'strategy = "parallel"',
            },
        }
    )  # fmt: skip


@pytest.mark.soak
@pytest.mark.quiet
@pytest.mark.parametrize("name", BEDS)
def test_that_nothing_said_of_a_storage_contradicts_another(qtbot, tmp_path, monkeypatch, name):
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "benchmarks"))
    regret = importlib.import_module("regret")
    from tests.system.walk import walked  # noqa: PLC0415  most tests here need no Qt

    if why_not := regret._BEDS[name]():
        pytest.skip(why_not)
    with regret.bed_of(name, tmp_path, random.Random(7)) as bed:
        told = walked(qtbot, bed.path, tmp_path)
    assert not contradictions(told), f"all that was said: {tmp_path / 'told.json'}"
