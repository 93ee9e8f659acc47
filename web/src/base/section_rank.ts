/** What people look at first: ranks sections of tags by the words in their names. A rank only orders; it hides nothing. */

const toSet = (words: string): ReadonlySet<string> => new Set(words.split(" "));

/** How well a model does: losses, metrics of quality, and the return of an agent. */
const RESULTS = toSet(
  "loss losses cost nll ppl perplexity elbo bpb bpc acc accuracy auc auroc auprc ap map mrr ndcg iou miou dice f1 " +
    "precision recall sensitivity specificity mse rmse mae mape r2 psnr ssim lpips fid bleu rouge wer cer elo " +
    "objective error err score scores metric metrics reward rewards rew return returns success",
);
const EVALUATION = toSet("val valid validation eval evaluation test testing dev");
const TRAINING = toSet("train training rollout episode episodes result results");
/** Parts of a model: `gradients/score.weight` is no score, `policy_gradient_loss` is a loss. */
const INTERNALS = toSet(
  "grad grads gradient gradients weight weights bias biases param params parameter parameters kernel kernels layer " +
    "layers activation activations norm norms hist histogram histograms",
);
const MACHINE = toSet("gpu gpus cpu cpus memory device devices hardware machine");
const SYSTEM = "system/";

/** `valLoss`, `test100rew` and `mAP50(B)` hold the words loss, rew and map. */
function wordsOf(name: string): string[] {
  const parts = name.split(/[^A-Za-z0-9]+/).filter((part) => part !== "");
  return parts.flatMap((part) => [part, ...runsOfLetters(part), ...runsOfLetters(part.toLowerCase())]).map(toLower);
}

const toLower = (word: string): string => word.toLowerCase();
const runsOfLetters = (part: string): string[] => part.match(/[A-Z]*[a-z]+|[A-Z]+/g) ?? [];

const has = (words: readonly string[], set: ReadonlySet<string>): boolean => words.some((word) => set.has(word));

/** Whether a tag, without its prefix, says how well the model does. */
export function isResult(leaf: string): boolean {
  const words = wordsOf(leaf);
  return has(words, RESULTS) && (!has(words, INTERNALS) || RESULTS.has(words.at(-1)!));
}

/** The greater, the later a section comes. `comesLater` puts it behind all but those of the machine. */
export function sectionRank(prefix: string, hasResult: () => boolean, comesLater = false): number {
  if (prefix === SYSTEM) return 7;
  const words = wordsOf(prefix);
  if (has(words, MACHINE)) return 6;
  return (comesLater ? 3 : 0) + resultRank(prefix, words, hasResult);
}

function resultRank(prefix: string, words: readonly string[], hasResult: () => boolean): number {
  if (has(words, INTERNALS)) return 2;
  if (has(words, RESULTS) || has(words, EVALUATION) || hasResult()) return 0;
  return prefix === "" || has(words, TRAINING) ? 1 : 2;
}
