import { median } from '../statistics.ts'
import { measureOtherLoad } from './other-load.ts'

export type Unit = 'ms' | 's' | '/s' | 'MB' | 'bytes'

/** Work that Vitrine and its peers do alike, each with the same data of its own. */
export type Comparison = {
  what: string
  unit: Unit
  rounds?: number
  /** Rounds before them that do not count: what runs for days is compiled, and has its caches filled. */
  warmUps?: number
  vitrine: () => Promise<number>
  peers: readonly Peer[]
}

export type Peer = {
  name: string
  measure: () => Promise<number>
  /** The least `Row.ratio` that is good enough. */
  goal?: number
}

/** Vitrine beside one peer. */
export type Row = {
  what: string
  unit: Unit
  peer: string
  /** Medians of the rounds, in `unit`. */
  vitrine: number
  beside: number
  /** Times as good as the peer: more than 1 is faster, or smaller. */
  ratio: number
  /** The least and the greatest ratio of a round. */
  spread: readonly [least: number, most: number]
  goal?: number
}

export type Result = {
  rows: Row[]
  /** Rounds done again because other programs were at work. */
  repeats: number
  /** The greatest share of the processors that others used in a round that counts. */
  otherLoad: number
}

const usualRounds = 3
/** The share of all processors above which a round is done again, and how often that is tried. */
const otherLoadMax = 0.1
const repeatsMax = 3

/** Measures in turns and back again, so that what the machine does meanwhile falls on all alike. */
export async function compare(comparison: Comparison): Promise<Result> {
  const { what, unit, rounds = usualRounds, warmUps = 0, vitrine, peers } = comparison
  const result: Result = { rows: [], repeats: 0, otherLoad: 0 }
  const ours: number[] = []
  const theirs = peers.map((): number[] => [])
  const works = [vitrine, ...peers.map(({ measure }) => measure)]
  for (let warmUp = 0; warmUp < warmUps; warmUp += 1) {
    for (const work of works) await work()
  }
  for (let round = 0; round < rounds; round += 1) {
    const { values, repeats, otherLoad } = await quietRound(works, round % 2 === 1)
    const [own, ...rest] = values
    ours.push(own!)
    for (const [index, value] of rest.entries()) theirs[index]!.push(value)
    result.repeats += repeats
    result.otherLoad = Math.max(result.otherLoad, otherLoad)
  }
  result.rows = peers.map(({ name, goal }, index) => {
    const ratios = ours.map((own, round) => ratioOf(unit, own, theirs[index]![round]!))
    const [own, beside] = [median(ours), median(theirs[index]!)]
    return {
      what,
      unit,
      peer: name,
      vitrine: own,
      beside,
      ratio: ratioOf(unit, own, beside),
      spread: [Math.min(...ratios), Math.max(...ratios)],
      ...(goal !== undefined && { goal }),
    }
  })
  return result
}

type Round = { values: number[]; repeats: number; otherLoad: number }

/** Runs the works one after the other; of rounds that others disturb, the one that they disturb least counts. */
async function quietRound(
  works: readonly (() => Promise<number>)[],
  isReversed: boolean,
): Promise<Round> {
  let best: Round | undefined
  for (let repeats = 0; ; repeats += 1) {
    const values: number[] = []
    const otherLoad = await measureOtherLoad(async () => {
      const indexes = [...works.keys()]
      for (const index of isReversed ? indexes.toReversed() : indexes) {
        values[index] = await works[index]!()
      }
    })
    const round = { values, repeats, otherLoad }
    if (otherLoad <= otherLoadMax) return round
    if (best === undefined || otherLoad < best.otherLoad) best = round
    if (repeats === repeatsMax) return { ...best, repeats }
  }
}

function ratioOf(unit: Unit, own: number, beside: number): number {
  return unit === '/s' ? own / beside : beside / own
}

export async function secondsOf(work: () => Promise<unknown> | void): Promise<number> {
  const began = performance.now()
  await work()
  return (performance.now() - began) / 1000
}
