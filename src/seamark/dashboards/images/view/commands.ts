/** What the keyboard and the palette can do to images. */

import { KEYS, type Command, type PickedImage } from "$public/core";
import type { ImagesModel } from "./images_model.svelte";

export function shortcuts(images: ImagesModel): Command[] {
  const isOpen = images.opened !== null;
  const onCard = (act: (image: PickedImage) => void) => (): void => {
    if (images.at && !images.opened) act(images.at);
  };
  const move = (by: number) =>
    onCard(({ run, tag }) => {
      const series = images.series.of(run, tag);
      const index = Math.min(series.steps.length - 1, Math.max(0, series.indexOf(images.stepOf(run, tag)) + by));
      images.setStep(run, tag, index === series.newest ? null : series.steps[index]!);
    });
  const compare = (image: PickedImage): void => {
    images.open(image);
    images.compare(image);
  };
  return [
    {
      title: "Open the image under the pointer",
      keys: "e",
      run: () => (images.opened ? images.open(null) : onCard((card) => images.open(card))()),
    },
    // The stage has a command of its own for this key.
    ...(isOpen ? [] : [{ title: "Compare the image under the pointer", keys: KEYS.compare, run: onCard(compare) }]),
    { title: "Step back, image under the pointer", keys: KEYS.back, run: move(-1) },
    { title: "Step forward, image under the pointer", keys: KEYS.forward, run: move(1) },
    { title: "Link the steps of all images", keys: KEYS.linkSteps, run: () => images.toggleLinked() },
    {
      title: "Grid of runs × steps",
      keys: "g",
      run: () =>
        images.showGrid(
          images.gridTag === null ? (images.at?.tag ?? images.context.catalogue.tags("images")[0]?.tag ?? null) : null,
        ),
    },
    ...(isOpen ? [] : [{ title: "Images at actual size", keys: KEYS.actualSize, run: () => images.toggle("actual") }]),
    { title: "Smooth pixels when enlarged", run: () => images.toggle("smooth") },
    {
      title: "Brightness and contrast as logged",
      run: () => {
        images.set("brightness", 1);
        images.set("contrast", 1);
      },
    },
  ];
}

export interface StageActions {
  step(by: number): void;
  zoom(factor: number): void;
  fit(): void;
  actual(): void;
  toggleCompare(): void;
  mode(): void;
}

/** While an image fills the page. */
export function stageShortcuts({ step, zoom, fit, actual, toggleCompare, mode }: StageActions): Command[] {
  return [
    { title: "Open image: step back", keys: "ArrowLeft", run: () => step(-1) },
    { title: "Open image: step forward", keys: "ArrowRight", run: () => step(1) },
    { title: "Open image: larger", keys: "+", run: () => zoom(1.5) },
    { title: "Open image: smaller", keys: "-", run: () => zoom(1 / 1.5) },
    { title: "Open image: all of it", keys: "0", run: fit },
    { title: "Open image: actual size", keys: KEYS.actualSize, run: actual },
    { title: "Open image: compare", keys: KEYS.compare, run: toggleCompare },
    { title: "Open image: next way to compare", keys: KEYS.nextView, run: mode },
  ];
}
