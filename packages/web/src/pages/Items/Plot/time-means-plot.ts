import type { Comparison, ShownField } from '@vitrine/contract'
import { type PlotOptions, gridY, lineY, pointerX, tip } from '@observablehq/plot'
import { showItems } from '../../../ui/show-amounts.ts'
import { type Axis, axesOf, axisOf, margins, measuredAxis, measuredBy, plotHeight } from './axis.ts'
import { type TimeMean, meansOverTime } from './group-means.ts'
import { type PointOptions, type PointPlot, timeText } from './points.ts'
import type { Dot } from './dots-plot.ts'

/** Moments that a line goes through. */
const mostMoments = 200

/** A column of numbers over the time of another one, as a line through their means. */
export function timeMeansPlot({ x, y, points }: PointOptions): PointPlot {
  const across = axisOf(
    x,
    points.map((point) => point.x),
  )
  const measured = measuredBy(
    y,
    points.map((point) => point.y),
  )
  const { numberOf, divisor, text } = measured
  const pairs = points.map((point) => [across.read(point.x), numberOf(point.y)] as [Date, number])
  const { span, means } = meansOverTime(pairs, mostMoments)
  const isMean = means.some(({ count }) => count > 1)
  const what = isMean ? `mean of ${y.name}` : y.name
  const up = measuredAxis(span === undefined ? what : `${what} by ${span}`, measured)
  const dots = means.map((each) => ({
    x: each.key,
    y: each.mean / divisor,
    title: `${timeText(each.key)}\n${text(each.mean)}\n${showItems(each.count)}`,
    pick: { comparison: timeComparison(x, each) },
  }))
  return {
    title: `${isMean ? 'Mean of ' : ''}${y.name} over the time of ${x.name}`,
    draw: drawLines(dots, across, up),
    notes: [],
    heads: [x.name, up.label, 'items'],
    rows: means.map(({ key, mean, count }, index) => ({
      name: timeText(key),
      values: [text(mean), count.toLocaleString()],
      pick: dots[index]!.pick,
    })),
  }
}

/** Asks for the days or moments from the beginning of a span to before its end. */
function timeComparison({ type }: ShownField, { key, end }: TimeMean): Comparison {
  const text = (at: Date) =>
    type === 'date' ? at.toISOString().slice(0, 10) : at.toISOString().replace(/\.?0*Z$/, 'Z')
  if (type === 'date' && Number(end) - Number(key) === 1) return { eq: text(key) }
  return {
    // No date is in the year 0, nor in one of more than four digits.
    ...(key.getUTCFullYear() > 0 && { gte: text(key) }),
    ...(end.getUTCFullYear() < 10_000 && { lt: text(end) }),
  }
}

/** Beyond so many, points would hide their line. */
const mostMarked = 100

/** Draws a line through points that are in the order of time. */
function drawLines(points: readonly Dot[], x: Axis, y: Axis) {
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
