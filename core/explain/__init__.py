"""What a load should take, what held it back, and what to change or compare first.

`cost` and `expected` predict, `terms` and `bottleneck` account for a run, `advice` names a change,
`program_report` judges the wait for a program. `figures` has the records that they share,
`glossary` what each figure means.
"""
