"""One load in processes of its own, watched: a supervisor that samples, and loaders that load.

The supervisor: `supervisor` from a job to its end · `preparation` plans, and touches memory ·
`environment_check` what spoils a run from around it · `cache_state` cold, warm, and was it so ·
`loaders` the processes that load · `watched` what it needs of them, or of somebody else's program ·
`timed_load` from `go` to the last report · `streams` commands in, events out.
What is measured: `sampler`, `figures` of processes and the machine · `block_timings` of requests.
What comes of it: `events` the wire, `run_warnings`, `record` of a run, live, read and replayed,
`result`, `wait_parts`, `printed` of a program, `curves`.
From outside: `client` runs a worker, `child_process` any process, `look` looks at paths.
"""
