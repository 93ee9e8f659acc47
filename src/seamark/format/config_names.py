"""What files with hyperparameters are called in a run's folder, besides run.json."""

# Later ones win. hparams.yaml is Lightning's, .hydra/config.yaml is Hydra's.
CONFIG_NAMES = (
    ".hydra/config.yaml",
    "config.yaml", "config.yml", "config.json",
    "params.yaml", "params.yml", "params.json",
    "args.json",
    "hparams.yaml", "hparams.yml",
)  # fmt: skip
