// Runs in the page of either viewer before its own scripts: sees when charts have ink, how long frames take, what changed.
(() => {
  const LOOK_MS = 25;
  const SIDE = 32;
  const inked = new WeakSet();
  let taskEnd = 0;
  performance.setResourceTimingBufferSize(100_000);
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) taskEnd = Math.max(taskEnd, startTime + duration);
  }).observe({ type: "longtask", buffered: true });

  function pixels(canvas) {
    const copy = new OffscreenCanvas(SIDE, SIDE);
    const on = copy.getContext("2d", { willReadFrequently: true });
    on.drawImage(canvas, 0, 0, SIDE, SIDE);
    return on.getImageData(0, 0, SIDE, SIDE).data;
  }

  function hasInk(canvas) {
    if (inked.has(canvas)) return true;
    if (canvas.width === 0 || canvas.height === 0) return false;
    const data = pixels(canvas);
    for (let at = 3; at < data.length; at += 4) {
      if (data[at] > 0) {
        inked.add(canvas);
        return true;
      }
    }
    return false;
  }

  const onScreen = (element) => {
    const { top, bottom, width } = element.getBoundingClientRect();
    return width > 0 && Math.min(bottom, innerHeight) - Math.max(top, 0) > 40;
  };

  const state = { cards: 0, drawn: 0, first: null, changed: 0 };
  let selectors = null;
  function look() {
    if (selectors) {
      const cards = [...document.querySelectorAll(selectors.card)].filter(onScreen);
      // Reading pixels takes the page's own time: only of charts that say they have something.
      const ready = cards.filter((card) => card.querySelector(selectors.ready) !== null);
      const drawn = ready.filter((card) => [...card.querySelectorAll(selectors.canvas)].some(hasInk)).length;
      if (drawn > 0) state.first ??= performance.now();
      if (cards.length !== state.cards || drawn !== state.drawn) state.changed = performance.now();
      state.cards = cards.length;
      state.drawn = drawn;
    }
    setTimeout(look, LOOK_MS);
  }

  function fingerprint() {
    let hash = 0;
    for (const canvas of document.querySelectorAll(`${selectors.card} ${selectors.canvas}`)) {
      if (!onScreen(canvas) || canvas.width === 0) continue;
      const data = pixels(canvas);
      for (let at = 0; at < data.length; at += 1) hash = (Math.imul(hash, 31) + data[at]) | 0;
    }
    return hash;
  }

  globalThis.seamarkBench = {
    watch(wanted) {
      selectors = wanted;
    },
    read: () => ({ ...state, now: performance.now(), taskEnd }),
    bytes: () => performance.getEntries().reduce((sum, { transferSize = 0 }) => sum + transferSize, 0),
    /** Milliseconds from a change until the pictures have stayed the same for `quietMs`, that is until their last change. */
    async changed(change, quietMs) {
      const begun = performance.now();
      let last = begun;
      let before = fingerprint();
      const old = before;
      change();
      while (performance.now() - last < quietMs || (before === old && performance.now() - begun < 15_000)) {
        await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
        const now = fingerprint();
        if (now !== before) last = performance.now();
        before = now;
      }
      return before === old ? null : last - begun;
    },
    frames: {
      begin() {
        this.times = [];
        this.on = true;
        const tick = (at) => {
          this.times.push(at);
          if (this.on) requestAnimationFrame(tick);
        };
        requestAnimationFrame(tick);
      },
      end() {
        this.on = false;
        return this.times.slice(1).map((at, index) => at - this.times[index]);
      },
    },
  };
  look();
})();
