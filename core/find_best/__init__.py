"""Find best: tests every strategy that works here within a time limit, and recommends one.

`plan` who takes part, and on how much of the model · `next_step` which run is next, a pure
function of the runs so far · `contenders` what they say · `session` drives it ·
`recommend` the answer in words · `result` as it is saved · `latest` what the history has.
"""
