// @ts-check
import { createChart, format, requestJson } from "./seamark-plugin.js";

/** @type {import("./seamark-plugin.js").View} */
export default {
  mount(element, context) {
    const select = document.createElement("select");
    select.ariaLabel = "Tag";
    const plot = document.createElement("div");
    plot.style.height = "320px";
    const list = document.createElement("ul");
    element.append(select, plot, list);

    const scalars = () => context.get().tags.scalars ?? [];
    const tag = () => context.url.get("tag") ?? scalars()[0]?.tag ?? "";
    const spec = () => ({ label: `${tag()} of the shown runs`, series: [{ tag: tag() }] });
    const chart = createChart(plot, context, spec());
    /** @type {Record<string, number>} */
    let counts = {};
    let version = "";

    function drawList() {
      const { shown, styles } = context.get();
      const items = shown.map((run) => {
        const item = document.createElement("li");
        item.textContent = `${styles[run]?.label}: ${format.count(counts[run] ?? 0)} points`;
        item.style.color = styles[run]?.colour ?? "";
        return item;
      });
      list.replaceChildren(...items);
    }

    /** Requests the counts if the tag or its data changed. */
    async function read() {
      const current = `${context.revisionOf("scalars", tag())} ${tag()}`;
      if (current === version) return;
      version = current;
      try {
        counts = /** @type {Record<string, number>} */ (await requestJson(context.address("counts", { tag: tag() })));
        drawList();
      } catch (error) {
        list.textContent = String(error);
      }
    }

    function draw() {
      setOptions(select, scalars(), tag());
      chart.update(spec());
      drawList();
      void read();
    }

    // Calls draw, as every change of the address does.
    select.onchange = () => context.url.set("tag", select.value);
    const unsubscribe = context.subscribe(draw);
    draw();
    return () => {
      unsubscribe();
      chart.destroy();
    };
  },
};

/**
 * Changes a select only if its options changed, so that it can stay open while runs log.
 * @param {HTMLSelectElement} select
 * @param {readonly { tag: string }[]} entries
 * @param {string} value
 */
function setOptions(select, entries, value) {
  const isCurrent = entries.length === select.length && entries.every(({ tag }, i) => select.options[i]?.value === tag);
  if (!isCurrent) select.replaceChildren(...entries.map(({ tag }) => new Option(tag, tag)));
  select.value = value;
}
