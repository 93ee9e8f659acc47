/** Why the server shows no project or link at this address, as a sentence without its end; "" if it does. */
export const serverError = (): string =>
  document.querySelector<HTMLMetaElement>('meta[name="seamark-error"]')?.content ?? "";
