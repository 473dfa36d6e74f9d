/** Pixels: how high a plot of a width is, as `Chart.module.css` keeps free for it. */
export function plotHeight(width: number): number {
  return Math.round(Math.min(720, Math.max(460, width * 0.3)))
}
