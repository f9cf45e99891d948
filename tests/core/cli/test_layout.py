"""What is printed fits the terminal: names are never cut, words never split."""

from io import StringIO
from operator import itemgetter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from modelmon.core.cli.output import Column, Facts, Listing, OneLine, WholeWords

PATH = "/models/a-folder-with-a-long-name/instruct-00001-of-00002.safetensors"
SENTENCE = "The load is limited by the disk's bandwidth: 2.31 GB/s, waiting 90% of the time."


def printed(width, *shown):
    out = Console(file=StringIO(), width=width, soft_wrap=True, highlight=False, markup=False)
    out.push_render_hook(WholeWords())
    for each in shown:
        out.print(each)
    assert isinstance(out.file, StringIO)
    return out.file.getvalue().splitlines()


def listing():
    rows = [
        ("9", "safetensors.torch.load_file", "warm, not counted", "417 ms", "3", ""),
        ("12", "processes, with threads", "cold", "1.48 s", "11", ""),
    ]
    return Listing(
        rows,
        Column("ID", itemgetter(0), right=True, lead=True),
        Column("Strategy", itemgetter(1), lead=True),
        Column("Start", itemgetter(2)),
        Column("Time", itemgetter(3), right=True, lead=True),
        Column("Runs", itemgetter(4), right=True, named=True),
        Column("Name", itemgetter(5)),
    )


def test_that_rows_are_paragraphs_where_a_table_has_no_room():
    assert printed(50, listing()) == [
        " 9  safetensors.torch.load_file  417 ms",
        "    warm, not counted · Runs 3",
        "12  processes, with threads  1.48 s",
        "    cold · Runs 11",
    ]


def test_that_a_table_is_one_where_there_is_room_and_shows_no_empty_column():
    heading, first, second = printed(80, listing())
    assert heading.split() == ["ID", "Strategy", "Start", "Time", "Runs"]
    assert "safetensors.torch.load_file  warm, not counted  417 ms     3" in first
    assert second.startswith("12  processes, with threads")


def test_that_a_wide_terminal_breaks_cells_between_words():
    headings = (Column("Strategy", str.lower, lead=True), Column("Best for", lambda _: SENTENCE))
    problem = Column("Problem", lambda _: SENTENCE)
    lines = printed(110, Listing(["safetensors.torch.load_file"], *headings, problem))
    assert lines[1].startswith("safetensors.torch.load_file  The load is limited by")
    assert " ".join(" ".join(lines).split()).count("2.31 GB/s,") == 2


@pytest.mark.parametrize("width", [20, 40, 79])
@pytest.mark.parametrize(
    "shown", [SENTENCE, Facts([("Path", PATH), ("Bottleneck", SENTENCE)]), listing()]
)
def test_that_no_word_is_split_and_no_name_cut(width, shown):
    words = " ".join(printed(width, shown)).split()
    whole = " ".join(printed(1000, shown)).split()
    headings = {"ID", "Strategy", "Start", "Time", "Runs"}
    assert set(whole) - headings <= set(words)


def test_that_a_command_stays_one_line_to_be_copied():
    command = f"  modelmon compare {PATH} --b direct"
    assert printed(40, OneLine(command)) == [command]


@given(st.lists(st.text("ab1. ", min_size=1, max_size=30), min_size=1), st.integers(10, 60))
def test_that_lines_are_no_longer_than_the_terminal_unless_a_word_is(texts, width):
    words = [word for text in texts for word in text.split()]
    longest = max([len(word) for word in words], default=0)
    # A number is kept with the word behind it.
    for line in printed(width, " ".join(words)):
        assert len(line) <= max(width, 2 * longest + 1)
