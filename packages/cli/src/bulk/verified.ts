import type { ConflictingCheckpoints, ProvenItem } from '@vitrine/client'
import type { Io } from '../command/io.ts'

/**
 * Damage to an item or one of its values, to a file of an archive, or to the log of a repository: it differs from
 * what was committed. `dataset` says which of a bundle's it is of.
 */
export type Damage = { dataset?: string } & (
  | { item: number; field?: string }
  | { file: string }
  | { log: string; checkpoints?: ConflictingCheckpoints }
) & { what: string }

/** How much was looked at. */
export type Verified = {
  items: number
  values: number
  /** Files of an archive. */
  files?: number
  bytes: number
  /** Entries of the log that the items were compared with. */
  entries?: number
  /** Dataset and state of a bundle, and the verifier key by which its logs are signed. */
  bundle?: { dataset: string; at: number; key: string }
  /** Item of a `.tlog-proof` file, where that proves one. */
  proof?: ProvenItem | undefined
}

export type VerifyOptions = {
  io: Io
  signal: AbortSignal
  onDamage: (damage: Damage) => void
}

/** Says where the damage is. */
export function damagePlace(damage: Damage): string {
  if ('file' in damage) return damage.file
  if ('log' in damage) return 'log'
  return damage.field === undefined ? `item ${damage.item}` : `item ${damage.item}, ${damage.field}`
}

export function damageText(damage: Damage): string {
  const { dataset, what } = damage
  return `${dataset === undefined ? '' : `${dataset}: `}${damagePlace(damage)}: ${what}`
}
