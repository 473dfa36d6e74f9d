import { dot, gridX, gridY, pointer, tip, type PlotOptions } from '@observablehq/plot'
import { axesOf, margins, ticksOf, type Axis } from './axis.ts'
import { plotHeight } from './plot-height.ts'

export type Dot = { x: number | Date; y: number | Date; title: string }

/** Draws a dot for each item, through which those below it are seen. */
export function drawDots(dots: readonly Dot[], x: Axis, y: Axis) {
  return (width: number): PlotOptions => ({
    ...margins,
    height: plotHeight(width),
    x: { type: x.type },
    y: { type: y.type },
    marks: [
      gridX({ ticks: ticksOf(width) }),
      gridY({ ticks: 6 }),
      ...axesOf(width, x, y),
      dot(dots, { x: 'x', y: 'y', r: 2.5, fill: 'var(--accent)', fillOpacity: 0.5 }),
      tip(dots, pointer({ x: 'x', y: 'y', title: 'title', lineWidth: 34, ariaHidden: 'true' })),
    ],
  })
}
