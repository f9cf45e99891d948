from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

    Load = Callable[[str], ModuleType]

MODEL_BYTES = 1_000_000_000
SECOND = 1_000_000_000


def aims(load: Load, state: str, walls_ns: dict[tuple[str, str, str], int]) -> list[Any]:
    """Aims of one run each of arms given as (name, maker, delivery)."""
    records, summary = load("records"), load("summary")
    arms = {
        ("dense", name): records.Arm(name, maker, delivery) for name, maker, delivery in walls_ns
    }
    runs = [
        records.Run(
            "dense",
            state,
            name,
            0,
            MODEL_BYTES,
            0.0,
            records.Answer(wall_ns=wall_ns, cpu_ns=wall_ns, delivered_bytes=MODEL_BYTES),
        )
        for (name, _, _), wall_ns in walls_ns.items()
    ]
    found: list[Any] = load("aims").aims_of(summary.summarise(runs, arms))
    return found


def test_that_a_cold_load_is_held_against_the_faster_device_limit(load: Load) -> None:
    found = aims(
        load,
        "cold",
        {
            ("device 1", "device-limit", "none"): SECOND,
            ("device 4", "device-limit", "none"): SECOND // 2,
            ("auto", "modelmon", "owned"): SECOND,
        },
    )
    (limit,) = [aim for aim in found if aim.text == "ours ÷ limit"]
    assert limit.figure == 0.5
    assert not limit.met
    assert round(limit.missed_share, 3) == 0.474


def test_that_only_libraries_of_the_same_delivery_are_compared(load: Load) -> None:
    found = aims(
        load,
        "warm",
        {
            ("auto", "modelmon", "owned"): SECOND,
            ("maps", "library", "mapped"): SECOND // 10,
            ("copies", "library", "owned"): 3 * SECOND,
        },
    )
    (ratio,) = [aim for aim in found if aim.text == "ours ÷ best library"]
    assert (ratio.against, ratio.figure, ratio.met) == ("copies", 3.0, True)


def test_that_being_slower_than_any_library_is_missed(load: Load) -> None:
    found = aims(
        load,
        "half",
        {
            ("auto", "modelmon", "owned"): 2 * SECOND,
            ("slow", "library", "owned"): 3 * SECOND,
            ("fast", "library", "owned"): SECOND,
        },
    )
    slower = {aim.against: aim.met for aim in found if aim.text.startswith("not slower")}
    assert slower == {"slow": True, "fast": False}


def test_that_a_baseline_is_held_to_its_own_example(load: Load) -> None:
    def figure(ours_ns: int) -> tuple[float, bool]:
        arms = {
            ("tool", "library", "owned"): ours_ns,
            ("tool (its example)", "example", "owned"): SECOND,
        }
        found = aims(load, "warm", arms)
        (fair,) = [aim for aim in found if aim.text.startswith("baseline")]
        return fair.figure, fair.met

    assert figure(SECOND * 104 // 100) == (1.04, True)
    assert figure(SECOND * 106 // 100) == (1.06, False)


def test_that_owned_loads_are_told_beside_reads_into_fresh_memory(load: Load) -> None:
    records, summary = load("records"), load("summary")
    arms = {
        ("dense", "reads"): records.Arm("reads", "read-limit", "none"),
        ("dense", "auto"): records.Arm("auto", "modelmon", "owned"),
        ("dense", "mmap"): records.Arm("mmap", "modelmon", "mapped"),
    }
    runs = [
        records.Run(
            "dense",
            "half",
            name,
            0,
            MODEL_BYTES,
            0.5,
            records.Answer(wall_ns=wall_ns, cpu_ns=1, delivered_bytes=MODEL_BYTES),
        )
        for name, wall_ns in (("reads", SECOND), ("auto", 2 * SECOND), ("mmap", SECOND))
    ]
    ratios = {one.arm: one.read_ratio for one in summary.summarise(runs, arms)}
    assert ratios == {"reads": None, "auto": 0.5, "mmap": None}
