"""What core says of results stands in the window in its language: its own words are translated."""

from functools import partial

import pytest
from msgspec import structs
from tests.core.find_best.racing import Racetrack, conditions
from window_fakes import LOAD_A, make_comparison

from modelmon.core.doctor.inspection import inspect_model
from modelmon.core.find_best.result import Advice
from modelmon.core.load.config import PRESETS
from modelmon.core.messages import Message
from modelmon.core.worker.result import summarise
from modelmon.gui import language
from modelmon.gui.best import best_words
from modelmon.gui.best.best_tab import BestPage
from modelmon.gui.best.ranking import Ranking
from modelmon.gui.compare.setting_chips import ChoiceField
from modelmon.gui.compare.strategy_box import BESIDE_ROLE
from modelmon.gui.compare.strategy_card import StrategyCard
from modelmon.gui.compare.verdict_details import markdown_text
from modelmon.gui.compare.verdict_page import VerdictPage


@pytest.fixture(autouse=True)
def _chinese(qapp):
    assert language.install(qapp, "zh_CN") is not None


def test_that_a_verdict_is_in_chinese(qtbot):
    page = VerdictPage()
    qtbot.addWidget(page)
    comparison = make_comparison()
    page.show_comparison(comparison, changed=False)
    assert page.sentence.whole.endswith("速度是 mmap 的 2.0 倍")
    assert page.reason.whole.endswith("速度很可能为 1.96 至 2.04 倍。")
    assert "的时间在等待磁盘" in markdown_text(comparison)
    assert "只测量了冷启动。" in markdown_text(comparison)
    assert "启动状态均符合要求" in markdown_text(comparison)


def test_that_a_card_says_in_chinese_what_held_it_back_and_what_it_offers(qtbot, session):
    card = StrategyCard(session, "A")
    qtbot.addWidget(card)
    assert card.sentence.whole == "多数运行时的做法。加载后文件留在缓存中。"
    session.set_results("A", (summarise(LOAD_A.record()),))
    assert card.outcome.sentence.whole.startswith("有 ")
    lines = card.outcome.sentence.toolTip().splitlines()
    assert any(line.startswith("I/O 等待: ") for line in lines)
    at = card.preset.findText("parallel")
    assert card.preset.itemData(at, BESIDE_ROLE) == "多个线程同时读取。在 NVMe 上通常较快。"


def test_that_what_an_axis_cannot_be_is_said_in_chinese(qtbot, session):
    session.set_preset("A", "direct")
    field = ChoiceField("descriptor", partial(session.arms.obstacle, "A"))
    qtbot.addWidget(field)
    field.show_value("own")
    assert field.toolTip().startswith("直接读取需要各自的描述符")


def test_that_reasons_that_begin_with_a_strategy_are_in_chinese(qtbot, sample):
    track = Racetrack(conditions(seed=3), seed=3, times_ms={"mmap": 900, "parallel": 400})
    session = track.go(12)
    session.stop()
    race = session.race(inspect_model(sample))
    page = BestPage()
    qtbot.addWidget(page)
    page.show_result(race, PRESETS["mmap"].config)
    assert page.sentence.whole.startswith("使用 parallel, readers 8")
    assert "速度是 mmap 的 " in page.sentence.whole
    assert "mmap" in page.reason.whole
    assert "as fast as" not in page.reason.whole
    assert "系统无法回收的内存" in page.chip_row.chips[0].toolTip()


def test_that_advice_is_in_chinese_but_its_command_is_not(sample):
    text = Message("Fill the page cache before the start, when the time for it is free.")
    expected = Message("{warm} instead of {cold}.", warm="1 s", cold="2 s")
    source = Message("{other_runs} warm starts with {label}", other_runs=3, label="mmap")
    advice = Advice("fill-cache", text, expected, "measured", source, "cat x")
    session = Racetrack(conditions(seed=3), seed=3, times_ms={"mmap": 900, "parallel": 400}).go(6)
    session.stop()
    race = session.race(inspect_model(sample))
    found = structs.replace(race.recommendation, advice=(advice,))
    told = best_words.details_text(structs.replace(race, recommendation=found), Ranking())
    assert "实测" in told
    assert "用 mmap 热启动 3 次" in told
    assert "\n    cat x\n" in told
    assert str(text) not in told
