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
    let shownVersion = "";

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
      const version = `${context.revisionOf("scalars", tag())} ${tag()}`;
      if (version === shownVersion) return;
      shownVersion = version;
      try {
        counts = /** @type {Record<string, number>} */ (await requestJson(context.address("counts", { tag: tag() })));
        drawList();
      } catch (error) {
        list.textContent = String(error);
      }
    }

    function draw() {
      select.replaceChildren(...scalars().map((entry) => new Option(entry.tag, entry.tag, false, entry.tag === tag())));
      chart.update(spec());
      drawList();
      void read();
    }

    select.onchange = () => {
      context.url.set("tag", select.value);
      draw();
    };
    const stop = context.subscribe(draw);
    draw();
    return () => {
      stop();
      chart.destroy();
    };
  },
};
