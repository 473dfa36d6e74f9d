/** Counts of a scenario in one round; equal names are added up over rounds. */
export type Counts = Record<string, number>

export type Options = { processes: number }

/** A kind of fault. A new one is a file beside the others, and a line in `main.ts`. */
export type Scenario = {
  name: string
  /** Says what this machine lacks for it; undefined where nothing. */
  lacks?: () => string | undefined
  /** Prepares an installation and returns what does one round on it. */
  open: (opened: AsyncDisposableStack, options: Options) => Promise<() => Promise<Counts>>
}

/** Counts that must stay at zero. */
export const faults = [
  'lost',
  'damaged',
  'damaged in silence',
  'full disks told otherwise',
  'exports cut short',
] as const
