// A certified OpenID provider (npm's oidc-provider) with one client, for test_oidc.py.
// Usage: node openid_provider.mjs MODULE CALLBACK. Prints its issuer once it listens.
import { createServer } from "node:http";

const [, , module, callback] = process.argv;
const { default: Provider } = await import(module);

const people = {
  ada: { email: "ada@example.org", email_verified: true, name: "Ada Lovelace" },
  eve: { email: "eve@example.org", email_verified: false, name: "Eve" },
};

const server = createServer();
server.listen(0, "127.0.0.1", () => {
  const issuer = `http://localhost:${server.address().port}`;
  const provider = new Provider(issuer, {
    clients: [{ client_id: "seamark", client_secret: "a secret: 100% +safe", redirect_uris: [callback] }],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
    findAccount: (_, id) => people[id] && { accountId: id, claims: () => ({ sub: id, ...people[id] }) },
    pkce: { required: () => true },
    cookies: { keys: ["only for tests"] },
  });
  server.on("request", provider.callback());
  console.log(issuer);
});
