import type { Engine } from './engine.ts'

/** A bound that a figure is held against; `ratio` goals are on `value` divided by the limit's value. */
export type Goal = { atLeast: number } | { atMost: number }

/** One measured number, beside the limit of this machine measured in the same run. */
export type Figure = {
  what: string
  value: number
  unit: string
  limit?: { what: string; value: number }
  /** On the ratio of the value to the limit where there is a limit, else on the value. */
  goal?: Goal
}

export type Measurement = {
  name: string
  /** Those that it says something of; all when left out. */
  engines?: readonly Engine['name'][]
  /** Runs it; what is put on the stack is disposed of when the measurement is over. */
  run: (opened: AsyncDisposableStack, engine: Engine) => Promise<Figure[]>
}

/** Returns the number that the goal of a figure is set for. */
export function judged({ value, limit }: Figure): number {
  return limit === undefined ? value : value / limit.value
}

/** Whether a figure meets its goal; undefined where it has none. */
export function isMet(figure: Figure): boolean | undefined {
  const { goal } = figure
  if (goal === undefined) return undefined
  return 'atLeast' in goal ? judged(figure) >= goal.atLeast : judged(figure) <= goal.atMost
}
