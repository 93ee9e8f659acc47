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
/** What an agent is trained for; its losses say little. */
const RETURN = matcher("reward rewards rew return returns elo success");
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

/** What a tag says about how well the model does: an agent's return, another result, or nothing. */
export type Finding = "return" | "result" | null;

/** Returns a function that judges a tag without its prefix. Tags that differ only in numbers are judged once. */
export function createJudge(): (leaf: string) => Finding {
  const known = new Map<string, Finding>();
  return (leaf) => {
    // Of two digits or more, as those of layers; a single digit may belong to a name such as "f1".
    const shape = leaf.replace(/\d\d+/g, "00");
    let found = known.get(shape);
    if (found === undefined) known.set(shape, (found = judge(shape)));
    return found;
  };
}

function judge(leaf: string): Finding {
  const text = normalise(leaf);
  if (!RESULT.test(text) || (INTERNAL.test(text) && !ENDS_AS_RESULT.test(text))) return null;
  return RETURN.test(text) ? "return" : "result";
}

const LAST_RANK = 9;
const MACHINE_RANK = 8;
const LATER_RANKS = 4;

/** Whether a section is about the machine and not about the model. */
export const isMachineSection = (prefix: string): boolean => prefix === SYSTEM || MACHINE.test(normalise(prefix));

/** The greater, the later a section comes. `comesLater` puts it behind all but those of the machine. */
export function sectionRank(prefix: string, findings: ReadonlySet<Finding>, comesLater = false): number {
  if (prefix === SYSTEM) return LAST_RANK;
  const text = normalise(prefix);
  if (MACHINE.test(text)) return MACHINE_RANK;
  return (comesLater ? LATER_RANKS : 0) + resultRank(text, findings);
}

/** 0: named after results or a split that has some, or an agent's return; 1: has results; 2: training; 3: all others. */
function resultRank(prefix: string, findings: ReadonlySet<Finding>): number {
  if (INTERNAL.test(prefix)) return 3;
  if (RESULT.test(prefix) || EVALUATION.test(prefix) || findings.has("return")) return 0;
  const isTraining = prefix === "" || TRAINING.test(prefix);
  if (findings.has("result")) return isTraining ? 0 : 1;
  return isTraining ? 2 : 3;
}
