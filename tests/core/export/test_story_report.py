"""The report of a story: what was found comes first, and each load stands at its time."""

import re

import pytest

from modelmon.core.demo.reported import report_of
from modelmon.core.demo.stage import Progressed, Ran, Said
from modelmon.core.export.report import as_markdown
from modelmon.core.export.report_page import as_page
from modelmon.core.messages import verbatim
from modelmon.core.simulate.cost import Counts


def ran(label, seconds):
    what = verbatim(f"{label} reads")
    return Ran(verbatim(label), int(seconds * 1e9), what, 100, Counts(bytes=100), {"disk": 1.0})


def story(*loads):
    return report_of(
        "object-store",
        [
            Said(verbatim("A title"), "title"),
            Said(verbatim("It was so.")),
            Progressed(verbatim("half"), 1, 2),
            *loads,
            Said(verbatim("Found it"), "finding"),
            Said(verbatim("Because.")),
            Said(verbatim("Do this."), "advice"),
        ],
    )


def test_that_the_answer_comes_first_and_the_case_next():
    text = as_markdown(story(ran("A", 1), ran("B", 2)))
    order = ["**Found it**", "It was so.", "Because.", "| A | 1.00 s | A reads |", "Do this."]
    assert sorted(order, key=text.index) == order
    assert "modelmon demo object-store" in text


@pytest.mark.parametrize(
    ("names", "shape", "place"), [("AB", "rect", "width"), ("ABAB", "circle", "cx")]
)
def test_that_a_load_s_shape_ends_at_its_time(names, shape, place):
    page = as_page(story(*(ran(name, 1 + at) for at, name in enumerate(names))))
    at = [float(x) for x in re.findall(rf'<{shape} [^>]*\b{place}="([\d.]+)"', page)]
    assert len(at) == len(names)
    assert at == sorted(set(at))
