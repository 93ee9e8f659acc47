import { expect, test } from "vitest";
import { apiAddress, routeAddress } from "./route_address";

test("a route's address is below the dashboard's, with its parameters encoded", () => {
  expect(routeAddress("mine", "/counts")).toBe("api/dashboards/mine/counts");
  expect(routeAddress("mine", "counts", { tag: "a&b c", run: ["x", "y"], limit: 3, all: true, none: undefined })).toBe(
    "api/dashboards/mine/counts?tag=a%26b+c&run=x&run=y&limit=3&all=true",
  );
});

test("a route of the server has an address below the path prefix, too", () => {
  expect(apiAddress("/table", { column: ["param:lr", "status"] })).toBe("api/table?column=param%3Alr&column=status");
});
