/** Line icons on a 16 px grid, as paths. */
export const ICONS = {
  search: "M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9ZM10.5 10.5 14 14",
  filter: "M2 4h12M4.5 8h7M6.5 12h3",
  moon: "M13 9.6A5.6 5.6 0 0 1 6.4 3 5.6 5.6 0 1 0 13 9.6Z",
  sun: "M8 5.2a2.8 2.8 0 1 1 0 5.6 2.8 2.8 0 0 1 0-5.6ZM8 1.6v1.6M8 12.8v1.6M1.6 8h1.6M12.8 8h1.6M3.5 3.5l1.1 1.1M11.4 11.4l1.1 1.1M12.5 3.5 11.4 4.6M4.6 11.4l-1.1 1.1",
  system: "M2.5 3h11v7.5h-11ZM6 13h4M8 10.5V13",
  right: "m6.5 4.5 3.5 3.5-3.5 3.5",
  warn: "M8 2.2 14.4 13.5H1.6ZM8 6.4v3.2M8 11.6v.1",
  x: "m4 4 8 8M12 4l-8 8",
} as const;

export type IconName = keyof typeof ICONS;
