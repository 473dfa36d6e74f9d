import { canonicalJson, type Json, type SchemaField, type ViewDescription } from '../src/index.ts'

/** A binary value, by all that the language can ask of it. */
export type SampleBinary = { sha256: string; mime: string; bytes: number }
/** JSON values are wrapped, so that none is taken for a value of another type. */
export type SampleValue = string | number | boolean | SampleBinary | { json: Exclude<Json, null> }

/** An item; a missing value has no entry. `createdAt` is in milliseconds since 1970. */
export type SampleItem = {
  id: number
  createdAt: number
  data: Record<string, SampleValue>
  /** The item of its repository that it replaces, by nothing where it withdraws that. */
  replaces?: { id: number; withdraws: boolean } | undefined
}

/** A repository with its items in commit order, or a view in canonical form. */
export type SampleDataset =
  | { name: string; schema: SchemaField[]; items: SampleItem[] }
  | { name: string; view: ViewDescription }

/** Datasets in the order of their creation: each refers only to earlier ones, or to itself. */
export type World = readonly SampleDataset[]

/** The canonical text of a value; of a binary, its digest. */
export function textOfSample(value: SampleValue): string {
  if (typeof value !== 'object') return String(value)
  return 'json' in value ? canonicalJson(value.json) : value.sha256
}
