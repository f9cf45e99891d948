"""One model on many nodes at once, and what holds them back.

`ways` how all load, `drive` starts nodes and follows them, `node` is what runs on one, `on_ray`
carries it; `summary` makes a `result` of all starts, with `scaling` for the curve.
"""
