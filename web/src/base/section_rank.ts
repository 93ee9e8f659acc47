/** What people look at first: ranks sections of tags by the words in their names. A rank only orders; it hides nothing. */

/** Letters around a word make it another one; digits and signs do not. */
const matcher = (words: string, ending = "(?![a-z])"): RegExp =>
  new RegExp(`(?:^|[^a-z])(?:${words.replaceAll(" ", "|")})${ending}`);

/** How well a model does: losses, metrics of quality, and the return of an agent. */
const RESULT_WORDS =
  "loss losses cost nll ppl perplexity elbo bpb bpc acc accuracy auc auroc auprc ap map mrr ndcg iou miou dice f1 " +
  "precision recall sensitivity specificity mse rmse mae mape r2 psnr ssim lpips fid bleu rouge wer cer elo " +
  "objective error err score scores metric metrics reward rewards rew return returns success";
const RESULT = matcher(RESULT_WORDS);
const ENDS_AS_RESULT = matcher(RESULT_WORDS, "[^a-z]*$");
const EVALUATION = matcher("val valid validation eval evaluation test testing dev");
const TRAINING = matcher("train training rollout episode episodes result results");
/** Parts of a model: `gradients/score.weight` is no score, `policy_gradient_loss` is a loss. */
const INTERNAL = matcher(
  "grad grads gradient gradients weight weights bias biases param params parameter parameters kernel kernels layer " +
    "layers activation activations norm norms hist histogram histograms",
);
const MACHINE = matcher("gpu gpus cpu cpus memory device devices hardware machine");
const SYSTEM = "system/";

/** In small letters, as it is and with `camelCase` split: both `mAP` and `valLoss` are found. */
function normalise(name: string): string {
  const whole = name.toLowerCase();
  return /[a-z][A-Z]/.test(name) ? `${whole} ${name.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase()}` : whole;
}

/**
 * Returns a test whether a tag, without its prefix, says how well the model does. Tags that differ only in numbers of two
 * digits or more, as those of layers do, are tested once.
 */
export function createResultTest(): (leaf: string) => boolean {
  const known = new Map<string, boolean>();
  return (leaf) => {
    const shape = leaf.replace(/\d\d+/g, "00");
    let found = known.get(shape);
    if (found === undefined) known.set(shape, (found = isResult(shape)));
    return found;
  };
}

function isResult(leaf: string): boolean {
  const text = normalise(leaf);
  return RESULT.test(text) && (!INTERNAL.test(text) || ENDS_AS_RESULT.test(text));
}

/** The greater, the later a section comes. `comesLater` puts it behind all but those of the machine. */
export function sectionRank(prefix: string, hasResult: boolean, comesLater = false): number {
  if (prefix === SYSTEM) return 7;
  const text = normalise(prefix);
  if (MACHINE.test(text)) return 6;
  return (comesLater ? 3 : 0) + resultRank(text, hasResult);
}

function resultRank(prefix: string, hasResult: boolean): number {
  if (INTERNAL.test(prefix)) return 2;
  if (RESULT.test(prefix) || EVALUATION.test(prefix) || hasResult) return 0;
  return prefix === "" || TRAINING.test(prefix) ? 1 : 2;
}
