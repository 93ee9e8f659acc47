/** What is wrong with a new password, before the server is asked. */

/** As the server requires it. */
export const MIN_PASSWORD = 10;

/** A sentence, or "". */
export function passwordProblem(password: string, again = password): string {
  if (password.length < MIN_PASSWORD)
    return `A password needs at least ${MIN_PASSWORD} characters; this one has ${password.length}.`;
  return password === again ? "" : "The two passwords differ.";
}
