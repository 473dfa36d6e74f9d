import {
  areaY,
  axisX,
  axisY,
  gridY,
  lineY,
  pointerX,
  rectY,
  ruleY,
  tip,
  type PlotOptions,
} from '@observablehq/plot'
import type { Mark } from '../Statistics/plot-of.ts'
import { boundTicks, numberText } from './bound-ticks.ts'
import { markTitle } from './mark-title.ts'
import { plotHeight } from './plot-height.ts'

type Options = {
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
export function drawBins(marks: readonly Mark[], { axis, isLine, isBeside }: Options) {
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
