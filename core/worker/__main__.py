"""`python -m modelmon.core.worker`: one job in, one JSON line out per event.

With `--standby` it is started before there is a job, and says when it is awake. With `--watch` the
rest of the line is the command of the program that it watches.
"""

import sys

from modelmon.core.load.loader_work import STANDBY
from modelmon.core.worker.jobs import WATCH
from modelmon.core.worker.keeper import go_on_below_a_keeper
from modelmon.core.worker.process import main

if WATCH in sys.argv[1:2]:
    go_on_below_a_keeper()
    sys.exit(main(command=sys.argv[2:]))
sys.exit(main(standby=STANDBY in sys.argv))
