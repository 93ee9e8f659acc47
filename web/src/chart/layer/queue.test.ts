import { expect, test } from "vitest";
import { JobQueue } from "./queue";

interface Card {
  readonly name: string;
  visible: boolean;
}

function queue(slots: number): { started: string[]; queue: JobQueue<Card> } {
  const started: string[] = [];
  return { started, queue: new JobQueue<Card>((card) => started.push(card.name), slots) };
}

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

test("many wishes of one turn are one job, and one is in flight for each card", async () => {
  const { started, queue: jobs } = queue(2);
  const card = { name: "a", visible: true };
  jobs.ask(card);
  jobs.ask(card);
  await turn();
  jobs.ask(card);
  jobs.ask(card);
  await turn();
  expect(started).toEqual(["a"]);
  jobs.done(card);
  expect(started).toEqual(["a", "a"]);
  jobs.done(card);
  expect(started).toEqual(["a", "a"]);
});

test("cards on screen come first", async () => {
  const { started, queue: jobs } = queue(1);
  const [hidden, seen] = [
    { name: "hidden", visible: false },
    { name: "seen", visible: true },
  ];
  jobs.ask(hidden);
  jobs.ask(seen);
  await turn();
  jobs.done(seen);
  expect(started).toEqual(["seen", "hidden"]);
});

test("a card that is gone frees its place", async () => {
  const { started, queue: jobs } = queue(1);
  const [first, second] = [
    { name: "first", visible: true },
    { name: "second", visible: true },
  ];
  jobs.ask(first);
  jobs.ask(second);
  await turn();
  jobs.drop(first);
  expect(started).toEqual(["first", "second"]);
});
