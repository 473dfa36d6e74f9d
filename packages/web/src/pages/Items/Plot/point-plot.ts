import type { PlotOptions } from '@observablehq/plot'
import type { Comparison, ShownField } from '@vitrine/contract'
import type { Lands } from './lands.ts'
import type { Point } from './read-points.ts'

export type PointOptions = {
  x: ShownField
  y: ShownField
  /** Points with a value in both columns. */
  points: readonly Point[]
  /** The label of what a reference leads to. */
  labelOf: (id: string) => string | undefined
  /** Coasts that a map shows below its dots, once they are loaded. */
  lands: Lands | undefined
}

/** Target of a press on something drawn: an item, or a filter for those of which it is the mean. */
export type Picked = { itemId: number } | { comparison: Comparison }

/** Something drawn, which leads somewhere. */
export type Pickable = { pick: Picked }

export type PointPlot = {
  title: string
  draw: ((width: number) => PlotOptions) | undefined
  /** Notes on what is left out. */
  notes: readonly string[]
  heads: readonly string[]
  rows: readonly (Pickable & { name: string; values: readonly string[] })[]
}
