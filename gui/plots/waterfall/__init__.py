"""The waterfall: a row for each block, when it was asked for and when its bytes came."""
