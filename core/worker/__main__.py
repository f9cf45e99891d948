"""`python -m modelmon.core.worker`: one job in, one JSON line out per event.

With `--standby` it is started before there is a job, and says when it is awake.
"""

import sys

from modelmon.core.load.plan import STANDBY
from modelmon.core.worker.supervisor import main

sys.exit(main(standby=STANDBY in sys.argv))
