import type { Io } from '../io.ts'

/** Damage to a value or a file of an archive: it differs from what was committed. */
export type Damage = ({ item: number; field: string } | { file: string }) & { what: string }

/** How much was looked at. */
export type Verified = {
  items: number
  values: number
  /** Files of an archive. */
  files?: number
  bytes: number
}

export type VerifyOptions = {
  io: Io
  signal: AbortSignal
  onDamage: (damage: Damage) => void
}
