"""What `direct/cluster/staggered:2s` means: a way for all nodes to load, from its text."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, get_args

from modelmon.core.cluster.result import LOCAL, CopyPer, Way
from modelmon.core.cluster.start import TOGETHER, Start, start_called
from modelmon.core.errors import ConfigError
from modelmon.core.load.config import with_axis
from modelmon.core.load.rules import check_possible
from modelmon.core.load.strategies import strategy
from modelmon.core.messages import Message

if TYPE_CHECKING:
    from modelmon.core.comparison.decision import Label

COPIES: tuple[CopyPer, ...] = get_args(CopyPer)


class Usual(NamedTuple):
    """What a way does unless its text says otherwise; each node has so many `ranks`."""

    copy_per: CopyPer = "node"
    start: Start = TOGETHER
    ranks: int = 1
    deliver: str = "usable"
    local: str = ""
    """The folder on each node's own disk; "" where there is none."""


def way_called(label: Label, text: str, usual: Usual) -> Way:
    """A strategy, with who loads a copy, when nodes start or `local` behind slashes, in any order.

    Raises ConfigError for what is neither, and for what can't be.
    """
    name, *parts = text.split("/")
    copy_per, start, local = usual.copy_per, usual.start, False
    for part in parts:
        copy = next((each for each in COPIES if each == part), None)
        if copy is not None:
            copy_per = copy
        elif part == LOCAL:
            local = True
        else:
            start = start_called(part)
    config = with_axis(strategy(name).config, "deliver", usual.deliver)
    if usual.ranks > 1:
        if copy_per == "cluster":
            raise ConfigError(
                Message("Slices across all nodes have one rank per node."),
                Message("Leave out --ranks-per-node, or load one copy per node."),
            )
        config = replace(
            config, ranks=usual.ranks, rank_share="slice" if copy_per == "node" else "whole"
        )
    elif copy_per == "rank":
        copy_per = "node"
    check_possible(config)
    if local and not usual.local:
        raise ConfigError(
            Message("{text} loads copies on the nodes' own disks: where are they?", text=text),
            Message("Name the folder that has them on each node with --local-disk."),
        )
    return Way(label, name, config, copy_per, start, local)
