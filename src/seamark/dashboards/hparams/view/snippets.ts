/** Exact lines that make hyperparameters appear. */

const lines = (...all: string[]): string => all.join("\n");

export const SNIPPETS: readonly { readonly name: string; readonly code: string }[] = [
  {
    name: "PyTorch",
    code: lines(
      "from torch.utils.tensorboard import SummaryWriter",
      "",
      'with SummaryWriter("runs/trial-1") as writer:',
      '    hparams = {"lr": 1e-3, "optimizer": "adam"}',
      '    writer.add_hparams(hparams, {"val/loss": 0.42})',
    ),
  },
  {
    name: "Keras",
    code: lines(
      "from tensorboard.plugins.hparams import api as hp",
      "",
      'hparams = {"lr": 1e-3, "optimizer": "adam"}',
      "model.fit(x, y, callbacks=[",
      '    keras.callbacks.TensorBoard("runs/trial-1"),',
      '    hp.KerasCallback("runs/trial-1", hparams)])',
    ),
  },
  {
    name: "seamark",
    code: lines(
      "import seamark",
      "",
      'hparams = {"lr": 1e-3, "optimizer": "adam"}',
      'run = seamark.init(dir="runs", name="trial-1", config=hparams)',
      'run.log({"val/loss": 0.42})',
      "run.finish()",
    ),
  },
];
