"""What core says of results stands in the window in its language: its own words are translated."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import pytest
from tests.core.experiment.race.racing import Racetrack, conditions
from window_fakes import LOAD_A, make_comparison

import modelmon.resources
from modelmon.core.experiment.preflight.preflight import look_at
from modelmon.core.experiment.race.result import Advice
from modelmon.core.experiment.summary import summarise
from modelmon.gui import language
from modelmon.gui.panels.card.axis_fields import ChoiceField
from modelmon.gui.panels.card.strategy_box import BESIDE_ROLE
from modelmon.gui.panels.card.strategy_card import StrategyCard
from modelmon.gui.panels.race.race_details import AdviceRow
from modelmon.gui.panels.race.race_page import RacePage
from modelmon.gui.panels.verdict_page import VerdictPage
from modelmon.gui.phrases import Phrases

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from modelmon.gui.session import Session

_FILE = Path(modelmon.resources.__path__[0]) / "translations" / "core_zh_CN.ts"


@pytest.fixture(autouse=True)
def _chinese(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(language, "_phrases", [Phrases.read(_FILE)])


def test_that_a_verdict_is_in_chinese(qtbot: QtBot) -> None:
    page = VerdictPage()
    qtbot.addWidget(page)
    page.show_comparison(make_comparison(), changed=False)
    assert page.sentence.whole.startswith("B 的加载速度是 A 的 ")
    assert "的时间在等待磁盘" in page.reason.whole
    assert "未测量热启动。" in page.caveat.whole
    assert "交错进行" in page.confidence_reason.whole


def test_that_a_card_says_in_chinese_what_held_it_back_and_what_it_offers(
    qtbot: QtBot, session: Session
) -> None:
    card = StrategyCard(session, "A")
    qtbot.addWidget(card)
    assert card.sentence.whole == "与多数运行时相同。已缓存时最佳。"
    session.set_results("A", (summarise(LOAD_A.record()),))
    lines = card.outcome.pill.toolTip().splitlines()
    assert lines[1].startswith("加载有 ")
    assert any(line.startswith("I/O 等待: ") for line in lines)
    at = card.preset.findText("parallel")
    assert card.preset.itemData(at, BESIDE_ROLE) == "多线程同时读取。NVMe 上最佳。"


def test_that_what_an_axis_cannot_be_is_said_in_chinese(qtbot: QtBot, session: Session) -> None:
    session.set_preset("A", "direct")
    field = ChoiceField("descriptor", partial(session.arms.obstacle, "A"))
    qtbot.addWidget(field)
    field.show_value("own")
    assert field.toolTip().startswith("直接读取需要各自的描述符")


def test_that_advice_is_in_chinese_but_its_command_is_not(qtbot: QtBot) -> None:
    text = "Fill the page cache ahead of the start, where the time for it is free."
    source = "3 warm starts with mmap"
    advice = Advice("fill-cache", text, "1 s instead of 2 s.", "measured", source, "cat x")
    row = AdviceRow(advice)
    qtbot.addWidget(row)
    assert row.basis.text() == "实测"
    assert row.basis.toolTip() == "用 mmap 热启动 3 次"
    assert "cat x" in row.copy.toolTip()


def test_that_reasons_that_begin_with_a_strategy_are_in_chinese(qtbot: QtBot, sample: Path) -> None:
    track = Racetrack(conditions(seed=3), seed=3, times_ms={"mmap": 900, "parallel": 400})
    session = track.go(12)
    session.stop()
    race = session.race(look_at(sample))
    reasons = (
        "auto took 0.90 times as long (98 %: 0.72-1.08): inside the noise, and this one is"
        " simpler, for it takes 1 instead of 8 readers.",
    ) * 2
    found = msgspec.structs.replace(race.recommendation, reasons=reasons)
    page = RacePage()
    qtbot.addWidget(page)
    page.show_race(msgspec.structs.replace(race, recommendation=found), "", resumable=False)
    assert page.reason.whole.count("在噪声之内") == 2
    assert "took" not in page.reason.whole
