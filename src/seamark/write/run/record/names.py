"""Words for runs that were given no name."""

ADJECTIVES = (
    "amber", "bold", "brisk", "calm", "clear", "coral", "crisp", "deep", "distant", "early", "fair", "fresh",
    "gentle", "golden", "grey", "hidden", "high", "inner", "kind", "late", "light", "lone", "long", "low", "mellow",
    "misty", "open", "outer", "pale", "patient", "plain", "proud", "quick", "quiet", "rising", "salty", "sandy",
    "silver", "slow", "small", "soft", "steady", "still", "stormy", "swift", "tidal", "true", "warm", "white",
    "wide",
)  # fmt: skip
NOUNS = (
    "anchor", "bay", "beacon", "bell", "boat", "breeze", "bridge", "buoy", "cape", "channel", "cliff", "coast",
    "cove", "crab", "current", "deck", "dock", "dune", "ebb", "eddy", "fjord", "foam", "gale", "gull", "harbour",
    "haven", "inlet", "island", "jetty", "kelp", "lagoon", "lantern", "mast", "oar", "otter", "pearl", "pier",
    "quay", "reef", "sail", "sand", "seal", "shell", "shoal", "shore", "sound", "strait", "surf", "swell", "tern",
    "tide", "wave", "wharf",
)  # fmt: skip
