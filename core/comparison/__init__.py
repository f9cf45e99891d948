"""Many loads, compared: made, checked, judged. Find best and the history use its statistics.

`compare` the session of Compare A/B · `runner` makes the runs of any session, begun or resumed ·
`commands` programs as strategies · `estimate` what it will cost ·
`run_validity` which runs count · `posterior` the one model of run times · `decision` who wins ·
`spread` plain statistics · `verdict` the answer in words · `result` as it is
saved · `changes` since when loads take longer.
"""
