import type { ShownField } from '@vitrine/contract'
import { valueComparison } from '../../../explore/value-comparison.ts'
import { showItems } from '../../../ui/show-amounts.ts'
import { measuredAxis, measuredBy } from './axis.ts'
import { drawBars } from './draw-bars.ts'
import { meansByName } from './group-means.ts'
import { type Picked, type Point, type PointOptions, type PointPlot, pointText } from './points.ts'

/** Names that have a bar. */
const mostNames = 20

/** The mean of a column of numbers for each of the commonest names in another one, as bars. */
export function nameMeansPlot({ x, y, points, labelOf }: PointOptions): PointPlot {
  const measured = measuredBy(
    y,
    points.map((point) => point.y),
  )
  const { numberOf, divisor, text } = measured
  const all = meansByName(points.map((point) => [pointText(point.x), numberOf(point.y)]))
  const means = all.slice(0, mostNames)
  const pickOf = pickOfName(x, points)
  const bars = means.map(({ key, mean, count }) => {
    const name = labelOf(key) ?? (key.trim() === '' ? '(empty)' : key)
    const valueText = text(mean)
    const title = `${name}\n${valueText}\n${showItems(count)}`
    const value = mean / divisor
    return { name, value, valueText, isDrawn: true, title, count, pick: pickOf(key) }
  })
  const axis = measuredAxis(`mean of ${y.name}`, measured)
  return {
    title: `Mean of ${y.name} by ${x.name}`,
    draw: drawBars(bars, { axis: axis.label, textOf: axis.text }),
    notes:
      all.length > mostNames
        ? [`the ${mostNames} commonest of ${all.length.toLocaleString()} values of ${x.name}`]
        : [],
    heads: [x.name, axis.label, 'items'],
    rows: bars.map(({ name, valueText, count, pick }) => ({
      name,
      values: [valueText, count.toLocaleString()],
      pick,
    })),
  }
}

/** The names that have a bar; of references the ids. */
export function namesOfBars(points: readonly Point[]): string[] {
  return meansByName(points.map(({ x }) => [pointText(x), 0]))
    .slice(0, mostNames)
    .map(({ key }) => key)
}

function pickOfName({ type }: ShownField, points: readonly Point[]): (name: string) => Picked {
  const values = new Map(points.map(({ x }) => [pointText(x), x]))
  return (name) => ({ comparison: valueComparison(type, values.get(name)!)! })
}
