/** The steps inside a range that was dragged, whose ends lie between steps. */
export function wholeSteps({ from, to }: { readonly from: number; readonly to: number }): { from: number; to: number } {
  const [first, last] = [Math.ceil(from), Math.floor(to)];
  if (first <= last) return { from: first, to: last };
  const nearest = Math.round((from + to) / 2);
  return { from: nearest, to: nearest };
}
