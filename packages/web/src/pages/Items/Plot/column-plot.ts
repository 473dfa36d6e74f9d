import type { Condition, FieldSummary } from '@vitrine/contract'
import {
  type PlotOptions,
  areaY,
  axisX,
  axisY,
  gridY,
  lineY,
  pointerX,
  rectY,
  ruleY,
  tip,
} from '@observablehq/plot'
import { hasComparison, isBeside } from '../../../explore/facet-filters.ts'
import type { Mark, Plot } from '../Statistics/plot-of.ts'
import { type Bar, drawBars } from './draw-bars.ts'
import type { PlotMark } from './plot-choice.ts'
import { boundTicks, numberText, plotHeight } from './axis.ts'
import { showItems } from '../../../ui/show-amounts.ts'

type Options = {
  summary: FieldSummary
  plot: Plot
  as: PlotMark
  /** Labels of the targets of the marks, in their order. */
  labels: readonly (string | undefined)[]
  where: Condition | undefined
}

/** How the values of a column are drawn, and the same as rows. */
export function columnPlot({ summary, plot, as, labels, where }: Options) {
  const { name } = summary
  if (plot.kind === 'values') {
    const marks = plot.marks.map((mark, index) => ({ ...mark, text: labels[index] ?? mark.text }))
    const bars = valueBars(
      summary,
      marks,
      ({ comparison }) => comparison !== undefined && hasComparison(where, name, comparison),
    )
    return { title: 'Commonest values', draw: drawBars(bars, { axis: 'items' }), rows: bars }
  }
  const axis = plot.of === undefined ? name : `${plot.of} of ${name}`
  return {
    title: as === 'lines' ? 'Items over the time' : plot.of === 'length' ? 'Lengths' : 'Histogram',
    draw: drawBins(plot.marks, {
      axis,
      isLine: as === 'lines',
      isBeside: ({ comparison }) =>
        comparison !== undefined && isBeside(where, summary, comparison),
    }),
    rows: plot.marks.map((mark) => ({
      name: mark.text,
      valueText: mark.count.toLocaleString(),
      mark,
    })),
  }
}

type BinOptions = {
  /** Title of the axis. */
  axis: string
  isLine: boolean
  isBeside: (mark: Mark) => boolean
}

const margins = { marginTop: 28, marginBottom: 44, marginLeft: 52, marginRight: 24 }

/**
 * Draws bins beside each other, each as wide as the others: months differ in days, and the ends of a scale may
 * be so far apart that no number tells how far.
 */
function drawBins(marks: readonly Mark[], { axis, isLine, isBeside }: BinOptions) {
  const bars = marks.map((mark, at) => ({
    mark,
    count: mark.count,
    at,
    mid: at + 0.5,
    next: at + 1,
  }))
  type Bar = (typeof bars)[number]
  const most = Math.max(1, ...bars.map(({ count }) => count))
  const position = { x: 'mid', y: 'count' } as const
  return (width: number): PlotOptions => {
    const room = width - margins.marginLeft - margins.marginRight
    const ticks = boundTicks(
      marks.map(({ bin }) => bin!),
      room,
    )
    return {
      ...margins,
      height: plotHeight(width),
      x: { type: 'linear', domain: [0, bars.length] },
      y: { type: 'linear', domain: [0, most], nice: true },
      marks: [
        gridY({ ticks: 5 }),
        axisX({
          ticks: [...ticks.keys()],
          tickFormat: (at: number) => ticks.get(at)!,
          label: axis,
          labelArrow: 'none',
          labelAnchor: 'center',
        }),
        axisY({
          ticks: most < 5 ? most : 5,
          tickFormat: numberText,
          label: 'items',
          labelArrow: 'none',
        }),
        isLine
          ? [
              areaY(bars, { ...position, fill: 'var(--accent-soft)' }),
              lineY(bars, { ...position, stroke: 'var(--accent)', strokeWidth: 2, marker: 'dot' }),
            ]
          : rectY(bars, {
              x1: 'at',
              x2: 'next',
              y: 'count',
              insetLeft: 0.5,
              insetRight: 0.5,
              fill: 'var(--accent)',
              fillOpacity: { value: ({ mark }: Bar) => (isBeside(mark) ? 0.4 : 1), scale: null },
            }),
        ruleY([0], { stroke: 'var(--line-strong)' }),
        tip(
          bars,
          pointerX({
            ...position,
            title: ({ mark }: Bar) => markTitle(mark),
            lineWidth: 34,
            ariaHidden: 'true',
          }),
        ),
      ],
    }
  }
}

export type ValueBar = Bar & { mark?: Mark }

/** A bar of the others would leave those that are named too short to be told apart beyond so many times the longest. */
const mostTimes = 3

/** A bar for each of the commonest values, and one for all others together. */
export function valueBars(
  { present, distinct, estimated = false }: FieldSummary,
  marks: readonly Mark[],
  isPressed: (mark: Mark) => boolean,
): ValueBar[] {
  const isAny = marks.some(isPressed)
  const bars = marks.map((mark): ValueBar => ({
    name: markText(mark),
    value: mark.count,
    valueText: (mark.isLeast === true ? '≥ ' : '') + mark.count.toLocaleString(),
    isDrawn: true,
    ...(isAny && !isPressed(mark) && { look: 'faded' }),
    title: markTitle(mark),
    mark,
  }))
  const items = present - marks.reduce((sum, { count }) => sum + count, 0)
  if (items === 0) return bars
  const isDrawn = items <= mostTimes * Math.max(...marks.map(({ count }) => count))
  const values = Math.max(1, distinct - marks.length).toLocaleString()
  const name = `${estimated ? 'about ' : ''}${values} others`
  const valueText = (estimated ? '≤ ' : '') + items.toLocaleString()
  const rest: ValueBar = {
    name,
    value: items,
    valueText: isDrawn ? valueText : `${valueText}, too many for a bar`,
    isDrawn,
    look: 'rest',
    title: `${name}\n${estimated ? 'at most ' : ''}${showItems(items)}`,
  }
  return [...bars, rest]
}

/** The text of a mark, of which '' and blanks alone would show nothing. */
function markText({ text }: Mark): string {
  return text.trim() === '' ? '(empty)' : text
}

/** Returns the tooltip of a mark: its value, and its number of items. */
function markTitle(mark: Mark): string {
  return `${markText(mark)}\n${mark.isLeast === true ? 'at least ' : ''}${showItems(mark.count)}`
}
