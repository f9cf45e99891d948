"""`python -m modelmon.core.watch [COMMAND...]`: a worker whose job is to watch a program.

The command is that of the program; without one it is joined, as its job says.
"""

import sys
from functools import partial

from modelmon.core.watch.keeper import go_on_below_a_keeper
from modelmon.core.watch.program import Program
from modelmon.core.worker.supervisor import main

command = sys.argv[1:]
if command:
    go_on_below_a_keeper()
sys.exit(main(start=partial(Program, command)))
