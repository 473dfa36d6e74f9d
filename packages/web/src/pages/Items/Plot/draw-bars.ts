import {
  type PlotOptions,
  axisX,
  axisY,
  barX,
  gridX,
  pointerY,
  ruleX,
  text,
  tip,
} from '@observablehq/plot'
import { numberText, plotHeight } from './axis.ts'

/** A name with what is told of it. */
export type Bar = {
  name: string
  value: number
  /** The value as it stands beside its bar; a value that is told alone has no bar. */
  valueText: string
  isDrawn: boolean
  /** Others are chosen, or it stands for many that have no bar of their own. */
  look?: 'faded' | 'rest'
  title: string
}

type Options = {
  /** Title of the axis of lengths. */
  axis: string
  /** Texts of lengths along the axis. */
  textOf?: (drawn: number) => string
}

/** Pixels of a row and of a letter. */
const [leastRow, letter] = [20, 7]

/** Draws names below each other, each with a bar. */
export function drawBars(bars: readonly Bar[], { axis, textOf = numberText }: Options) {
  const longest = Math.max(...bars.map(({ name }) => name.length)) * letter
  // Two may have the same name.
  const at = (_: Bar, index: number) => index
  const values = bars.filter(({ isDrawn }) => isDrawn).map(({ value }) => value)
  const [least, most] = [Math.min(0, ...values), Math.max(0, ...values)]
  return (width: number): PlotOptions => {
    const marginLeft = Math.round(Math.min(longest, width * 0.35)) + 14
    return {
      marginLeft,
      marginRight: 64,
      marginTop: 12,
      marginBottom: 40,
      height: 52 + bars.length * rowHeight(plotHeight(width) - 40, bars.length),
      x: { type: 'linear', domain: least === most ? [0, 1] : [least, most] },
      y: { type: 'band', domain: bars.map((_, index) => index), paddingInner: 0.25 },
      marks: [
        gridX({ ticks: width < 500 ? 3 : 6 }),
        axisX({
          ticks: width < 500 ? 3 : 6,
          tickFormat: textOf,
          label: axis,
          labelArrow: 'none',
          labelAnchor: 'center',
        }),
        axisY({
          tickSize: 0,
          tickFormat: (index: number) => bars[index]!.name,
          lineWidth: (marginLeft - 14) / 13,
          textOverflow: 'ellipsis',
          label: null,
        }),
        barX(bars, {
          y: at,
          x1: 0,
          x2: ({ isDrawn, value }: Bar) => (isDrawn ? value : 0),
          fill: {
            value: ({ look }: Bar) => (look === 'rest' ? 'var(--line-strong)' : 'var(--accent)'),
            scale: null,
          },
          fillOpacity: {
            value: ({ look }: Bar) => (look === undefined ? 1 : 0.4),
            scale: null,
          },
        }),
        ruleX([0], { stroke: 'var(--line-strong)' }),
        text(bars, {
          y: at,
          x: ({ isDrawn, value }: Bar) => (isDrawn ? Math.max(0, value) : 0),
          text: 'valueText',
          textAnchor: 'start',
          dx: 6,
        }),
        tip(bars, pointerY({ y: at, x: 0, title: 'title', lineWidth: 34, ariaHidden: 'true' })),
      ],
    }
  }
}

/** Few rows are not as high as all together may be. */
function rowHeight(room: number, rows: number): number {
  return Math.min(room / 10.5, Math.max(leastRow, room / rows))
}
