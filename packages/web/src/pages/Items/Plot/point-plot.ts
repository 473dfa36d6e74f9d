import type { PlotOptions } from '@observablehq/plot'
import { plainText, type ShownField } from '@vitrine/contract'
import { showItems } from '../../../ui/show-amounts.ts'
import { axisOf } from './axis.ts'
import { numberText } from './bound-ticks.ts'
import { drawBars } from './draw-bars.ts'
import { drawDots } from './draw-dots.ts'
import { drawLines } from './draw-lines.ts'
import { drawMap, isPlace } from './draw-map.ts'
import { meansByName, meansOverTime } from './group-means.ts'
import type { Lands } from './lands.ts'
import { numberUnit } from './number-unit.ts'
import { placeFields } from './place-fields.ts'
import type { PlotMark } from './plot-choice.ts'
import type { Point, Value } from './read-points.ts'

type Options = {
  x: ShownField
  y: ShownField
  mark: PlotMark
  /** Of which both columns have a value. */
  points: readonly Point[]
  /** The label of what a reference leads to. */
  labelOf: (id: string) => string | undefined
  /** What a map shows below its dots, once it is there. */
  lands: Lands | undefined
}

type PointPlot = {
  title: string
  draw: ((width: number) => PlotOptions) | undefined
  /** What is left out. */
  notes: readonly string[]
  heads: readonly string[]
  rows: readonly string[][]
}

/** Names that have a bar, and moments that a line goes through. */
const mostNames = 20
const mostMoments = 200

/** How two columns are drawn, and the same as rows. */
export function pointPlot({ x, y, mark, points, labelOf, lands }: Options): PointPlot {
  if (mark === 'bars') {
    const all = meansOf(points)
    const means = all.slice(0, mostNames)
    const unit = numberUnit(means.map(({ mean }) => mean))
    const bars = means.map(({ key, mean, count }) => {
      const name = labelOf(key) ?? (key.trim() === '' ? '(empty)' : key)
      const told = numberText(mean)
      return { name, value: mean / unit, told, isDrawn: true, title: titleOf(name, told, count) }
    })
    const axis = `mean of ${y.name}`
    return {
      title: `Mean of ${y.name} by ${x.name}`,
      draw: drawBars(bars, { axis, unit }),
      notes:
        all.length > mostNames
          ? [`the ${mostNames} commonest of ${told(all.length)} values of ${x.name}`]
          : [],
      heads: [x.name, axis, 'items'],
      rows: means.map(({ count }, index) => [bars[index]!.name, bars[index]!.told, told(count)]),
    }
  }
  const across = axisOf(
    x,
    points.map((point) => point.x),
  )
  const up = axisOf(
    y,
    points.map((point) => point.y),
  )
  if (mark === 'lines') {
    const pairs = points.map((point) => [across.read(point.x), Number(point.y)] as [Date, number])
    const { span, means } = meansOverTime(pairs, mostMoments)
    const isMean = means.some(({ count }) => count > 1)
    const what = isMean ? `mean of ${y.name}` : y.name
    const label = span === undefined ? what : `${what} by ${span}`
    const dots = means.map(({ key, mean, count }) => ({
      x: key,
      y: mean / up.unit,
      title: titleOf(timeText(key), numberText(mean), count),
    }))
    return {
      title: `${isMean ? 'Mean of ' : ''}${y.name} over the time of ${x.name}`,
      draw: drawLines(dots, across, { ...up, label }),
      notes: [],
      heads: [x.name, label, 'items'],
      rows: means.map(({ key, mean, count }) => [timeText(key), numberText(mean), told(count)]),
    }
  }
  const heads = [x.name, y.name]
  const rows = points.map((point) => [textOf(point.x), textOf(point.y)])
  if (mark === 'map') {
    const isTurned = placeFields([x, y])?.[0] === y
    const places = points
      .map((point) => ({
        x: Number(isTurned ? point.y : point.x),
        y: Number(isTurned ? point.x : point.y),
        title: titleOfPoint(point),
      }))
      .filter(isPlace)
    const beyond = points.length - places.length
    return {
      title: `Map of ${x.name} and ${y.name}`,
      draw: lands && drawMap(places, lands),
      notes: beyond > 0 ? [`${told(beyond)} beyond the map`] : [],
      heads,
      rows,
    }
  }
  const dots = points.map((point) => ({
    x: across.read(point.x),
    y: up.read(point.y),
    title: titleOfPoint(point),
  }))
  return {
    title: `${y.name} against ${x.name}`,
    draw: drawDots(dots, across, up),
    notes: [],
    heads,
    rows,
  }

  function titleOfPoint(point: Point): string {
    return `${x.name} ${textOf(point.x)}\n${y.name} ${textOf(point.y)}`
  }
}

function meansOf(points: readonly Point[]) {
  return meansByName(points.map(({ x, y }) => [textOf(x), Number(y)] as const))
}

/** The names that have a bar; of references the ids. */
export function namesOfBars(points: readonly Point[]): string[] {
  return meansOf(points)
    .slice(0, mostNames)
    .map(({ key }) => key)
}

function titleOf(name: string, value: string, count: number): string {
  return `${name}\n${value}\n${showItems(count)}`
}

function timeText(at: Date): string {
  return at
    .toISOString()
    .replace(/(T00:00:00)?\.000Z$/, (end) => (end.startsWith('T') ? '' : 'Z'))
    .replace('T', ' ')
}

function textOf(value: Value): string {
  return value === undefined ? '' : plainText(value)
}

function told(count: number): string {
  return count.toLocaleString()
}
