"""What several runs warned of."""

from __future__ import annotations

import msgspec
from tests.core.conftest import LOADED

from modelmon.core.experiment.warned_runs import spoiled, warnings_of
from modelmon.core.worker.warned import warned

OTHERS = warned("other-reader", "Somebody else read.", "33.6 MB during the load")
FEW = warned("few-samples", "The load ended after 1 sample.")


def test_that_each_kind_is_told_once_with_how_many_runs_had_it() -> None:
    loud = msgspec.structs.replace(LOADED, warnings=(OTHERS, OTHERS, FEW))
    discarded = msgspec.structs.replace(loud, counts=False)
    (told,) = warnings_of([LOADED, loud, loud, discarded])
    assert told.text == ("Somebody else read. (33.6 MB during the load) Seen in 2 of 3 runs.")
    assert told.warning.remedy
    assert spoiled([LOADED, loud, loud, discarded]) == 2
    assert warnings_of([LOADED]) == ()
