"""What is said of a result, whichever it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.cluster.result import ClusterResult
from modelmon.core.comparison.result import Comparison
from modelmon.core.export.cluster_items import cluster_items
from modelmon.core.export.comparison_items import comparison_items
from modelmon.core.export.run_items import run_items
from modelmon.core.export.search_items import search_items
from modelmon.core.find_best.result import SearchResult

if TYPE_CHECKING:
    from collections.abc import Iterator

    from modelmon.core.comparison.runner import RunAnalysis
    from modelmon.core.export.items import Printed
    from modelmon.core.export.saved import Saved


def result_items(found: Saved | RunAnalysis) -> Iterator[Printed]:
    """The answer, tables, and what stands behind it."""
    if isinstance(found, ClusterResult):
        return cluster_items(found)
    if isinstance(found, Comparison):
        return comparison_items(found)
    if isinstance(found, SearchResult):
        return search_items(found)
    return run_items(found)
