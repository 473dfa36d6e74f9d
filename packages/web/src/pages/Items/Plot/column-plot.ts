import type { Condition, FieldSummary } from '@vitrine/contract'
import { isAsked, isBeside } from '../../../explore/facet-filters.ts'
import type { Mark, Plot } from '../Statistics/plot-of.ts'
import { drawBars } from './draw-bars.ts'
import { drawBins } from './draw-bins.ts'
import type { PlotMark } from './plot-choice.ts'
import { valueBars } from './value-bars.ts'

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
    const bars = valueBars(summary, marks, (mark) => isIn(mark, isAsked))
    return { title: 'Commonest values', draw: drawBars(bars, { axis: 'items' }), rows: bars }
  }
  const axis = plot.of === undefined ? name : `${plot.of} of ${name}`
  return {
    title: as === 'lines' ? 'Items over the time' : plot.of === 'length' ? 'Lengths' : 'Histogram',
    draw: drawBins(plot.marks, {
      axis,
      isLine: as === 'lines',
      isBeside: (mark) => isIn(mark, isBeside),
    }),
    rows: plot.marks.map((mark) => ({
      name: mark.text,
      told: mark.count.toLocaleString(),
      mark,
    })),
  }

  function isIn({ comparison }: Mark, test: typeof isAsked): boolean {
    return comparison !== undefined && test(where, name, comparison)
  }
}
