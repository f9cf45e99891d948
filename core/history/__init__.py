"""Every run and experiment on this machine, in SQLite.

`history` all that is read and written · `file` the database and its schema · `rows` what it gives ·
`recorder` enters runs as they end, with their events, and recordings · `groups` runs side by side ·
`origin` which runs may be compared at all.
"""
