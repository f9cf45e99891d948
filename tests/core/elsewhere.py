"""Places that look like another one and are not it."""

import msgspec

change = msgspec.structs.replace


def elsewhere(origin, what):
    if what == "machine":
        # Even where its disk has the same name and model.
        return change(
            origin,
            machine=change(origin.machine, id="m2"),
            storage=change(origin.storage, id="s2"),
        )
    if what == "disk":
        return change(origin, storage=change(origin.storage, id="s2", device="sdb1"))
    return change(origin, model=change(origin.model, digest="e" * 64))
