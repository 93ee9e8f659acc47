"""Video: clips that runs logged, played together."""
