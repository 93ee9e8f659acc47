/** Providers that people sign in with. */

import { teamRequest } from "../api";

export interface Provider {
  readonly name: string;
  readonly issuer: string;
  readonly client_id: string;
  readonly has_client_secret: boolean;
  readonly label: string;
  readonly scopes: string;
  readonly policy: "invited" | "domain";
  readonly domains: readonly string[];
  readonly trusts_email: boolean;
  /** To be registered at the provider. */
  readonly callback: string;
}

export interface ProviderDraft {
  name: string;
  issuer: string;
  client_id: string;
  /** "": the saved one stays. */
  client_secret: string;
  label: string;
  policy: "invited" | "domain";
  domains: string;
  trusts_email: boolean;
}

export const fetchProviders = async (signal?: AbortSignal): Promise<readonly Provider[]> =>
  (await teamRequest<{ providers: readonly Provider[] }>("oidc", { signal })).providers;

export const saveProvider = ({ client_secret, domains, ...rest }: ProviderDraft): Promise<unknown> =>
  teamRequest("oidc", {
    method: "PATCH",
    body: {
      ...rest,
      domains: domains.split(/[\s,]+/).filter((domain) => domain !== ""),
      ...(client_secret === "" ? {} : { client_secret }),
    },
  });

export const removeProvider = (name: string): Promise<unknown> =>
  teamRequest("oidc", { method: "PATCH", body: { name, remove: true } });

export const draftOf = (provider: Provider | null): ProviderDraft => ({
  name: provider?.name ?? "",
  issuer: provider?.issuer ?? "",
  client_id: provider?.client_id ?? "",
  client_secret: "",
  label: provider?.label ?? "",
  policy: provider?.policy ?? "invited",
  domains: provider?.domains.join(", ") ?? "",
  trusts_email: provider?.trusts_email ?? false,
});
