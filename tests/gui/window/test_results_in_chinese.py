"""What core says of results stands in the window in its language: its own words are translated."""

import pytest
from msgspec import structs
from tests.core.find_best.racing import Racetrack, conditions
from window_fakes import make_comparison

from modelmon.core.comparison.changes import Change, Changes
from modelmon.core.doctor.inspection import inspect_model
from modelmon.core.export.history_items import change_items
from modelmon.core.find_best.result import Advice
from modelmon.core.load.config import PRESETS
from modelmon.core.messages import Message
from modelmon.gui import language
from modelmon.gui.best.best_words import recommendation_notice
from modelmon.gui.compare.verdict_details import markdown_text, verdict_notice
from modelmon.gui.language import said
from modelmon.gui.session.details import details_text, markdown_of
from modelmon.gui.session.notices import Choice


@pytest.fixture(autouse=True)
def _chinese(qapp):
    assert language.install(qapp, "zh_CN") is not None


EXPORT = Choice("导出…", int)


def test_that_what_changed_since_a_day_is_in_chinese():
    change = Change(
        Message("{model}", model="llama"),
        Message("The page cache was left unchanged."),
        Message(
            "Measure the disk to see whether it became slower{terminal}.",
            terminal=": modelmon doctor MODEL --probe",
        ),
        *("slower", (), "cold", "here", "a CPU", "nvme0", "2026-01-01", "2026-01-02", 5, 5),
        *(0.5, 0.4, 0.6, 0.9),
    )
    told = markdown_of(change_items(Changes((change,), 0, 0), "2026-01-02", "here"))
    assert said(change.reason) in told
    assert said(change.remedy) in told
    assert "page cache was" not in told
    assert "--probe" not in told


def test_that_a_verdict_is_in_chinese():
    comparison = make_comparison()
    told = verdict_notice(comparison, changed=False, export=EXPORT, again=int)
    assert told.headline.endswith("速度是 mmap 的 2.0 倍")
    assert told.reason.endswith("速度很可能为 1.96 至 2.04 倍。")
    assert "的时间在等待磁盘" in markdown_text(comparison)
    assert "只测量了冷启动。" in markdown_text(comparison)
    assert "启动状态均符合要求" in markdown_text(comparison)


def test_that_reasons_that_begin_with_a_strategy_are_in_chinese(sample):
    track = Racetrack(conditions(seed=3), seed=3, times_ms={"mmap": 900, "parallel": 400})
    session = track.go(12)
    session.stop()
    race = session.race(inspect_model(sample))
    told = recommendation_notice(race, PRESETS["mmap"].config, export=EXPORT, use_as_b=int)
    assert told.headline.startswith("使用 parallel, readers 8")
    assert "速度是 mmap 的 " in told.headline
    assert "mmap" in told.reason
    assert "as fast as" not in told.reason
    assert "系统无法回收的内存" in told.chips[0].tool_tip


def test_that_advice_is_in_chinese_but_its_command_is_not(sample):
    text = Message("Fill the page cache before the start, when the time for it is free.")
    expected = Message("{warm} instead of {cold}.", warm="1 s", cold="2 s")
    source = Message("{other_runs} warm starts with {label}", other_runs=3, label="mmap")
    advice = Advice("fill-cache", text, expected, source, "cat x")
    session = Racetrack(conditions(seed=3), seed=3, times_ms={"mmap": 900, "parallel": 400}).go(6)
    session.stop()
    race = session.race(inspect_model(sample))
    found = structs.replace(race.recommendation, advice=(advice,))
    told = details_text(structs.replace(race, recommendation=found))
    assert "用 mmap 热启动 3 次" in told
    assert "```\n  cat x\n```" in told
    assert str(text) not in told
