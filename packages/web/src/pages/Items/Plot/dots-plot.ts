import { type PlotOptions, dot, gridX, gridY, pointer, tip } from '@observablehq/plot'
import { type Axis, axesOf, axisOf, margins, plotHeight, ticksOf } from './axis.ts'
import { type PointOptions, type PointPlot, pointRows, pointTitle } from './points.ts'

/** Two columns against each other, each item as a dot. */
export function dotsPlot({ x, y, points }: PointOptions): PointPlot {
  const across = axisOf(
    x,
    points.map((point) => point.x),
  )
  const up = axisOf(
    y,
    points.map((point) => point.y),
  )
  const dots = points.map((point) => ({
    x: across.read(point.x),
    y: up.read(point.y),
    title: pointTitle(x, y, point),
    pick: { itemId: point.id },
  }))
  return {
    title: `${y.name} against ${x.name}`,
    draw: drawDots(dots, across, up),
    notes: [],
    heads: [x.name, y.name],
    rows: pointRows(points),
  }
}

export type Dot = { x: number | Date; y: number | Date; title: string }

/** Draws a dot for each item, through which those below it are seen. */
function drawDots(dots: readonly Dot[], x: Axis, y: Axis) {
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
