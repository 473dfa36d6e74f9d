import { gridY, lineY, pointerX, tip, type PlotOptions } from '@observablehq/plot'
import { axesOf, margins, type Axis } from './axis.ts'
import type { Dot } from './draw-dots.ts'
import { plotHeight } from './plot-height.ts'

/** Beyond so many, points would hide their line. */
const mostMarked = 100

/** Draws a line through points that are in the order of time. */
export function drawLines(points: readonly Dot[], x: Axis, y: Axis) {
  return (width: number): PlotOptions => ({
    ...margins,
    height: plotHeight(width),
    x: { type: x.type },
    y: { type: y.type },
    marks: [
      gridY({ ticks: 6 }),
      ...axesOf(width, x, y),
      lineY(points, {
        x: 'x',
        y: 'y',
        stroke: 'var(--accent)',
        strokeWidth: 2,
        ...(points.length <= mostMarked && { marker: 'dot' }),
      }),
      tip(points, pointerX({ x: 'x', y: 'y', title: 'title', lineWidth: 34, ariaHidden: 'true' })),
    ],
  })
}
