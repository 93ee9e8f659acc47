"""The names of configuration files in a run's folder, besides run.json."""

# Later files override earlier ones. hparams.yaml is Lightning's, .hydra/config.yaml is Hydra's.
CONFIG_NAMES = (
    ".hydra/config.yaml",
    "config.yaml", "config.yml", "config.json",
    "params.yaml", "params.yml", "params.json",
    "args.json",
    "hparams.yaml", "hparams.yml",
)  # fmt: skip
