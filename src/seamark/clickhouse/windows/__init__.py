"""Windows of one tag over many runs: `reader` decides, `engine` or `lines` and `downsample` make the rows."""
