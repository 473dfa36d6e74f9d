import { type SchemaField, canonicalText, toHex } from '@vitrine/contract'
import {
  type Entry,
  type Sha256 as Hash,
  emptyRoot,
  leafHash,
  readEntry,
  readLogParts,
  TreeBuilder,
} from '@vitrine/transparency-log'
import type { BundleArchive, BundledRepo } from './bundle-contents.ts'
import { IdSet } from './id-set.ts'
import { sealOfRow } from './log-verifier.ts'
import { type Row, rowsOf } from '../call/rows-of.ts'

/** Rows that are looked ahead for an item that does not stand where its entry does. */
const aheadMax = 64

export type RepoDamage = ({ item: number; field?: string } | { log: string }) & { what: string }

export type RepoVerification = {
  hash: Hash
  /** The root that is signed; undefined where none is. */
  root: Uint8Array | undefined
  /** Whether a reference to a dataset leads to an item of the bundle; `own` are those of the repository so far. */
  leads: (target: string, id: number, own: IdSet) => boolean
  onFile: (sha256: string, place: { item: number; field: string }) => void
  onDamage: (damage: RepoDamage) => void
  onItem: (values: number, bytes: number) => void
  signal: AbortSignal
}

/**
 * Verifies the items of a repository in a bundle: values by their digests, items by their entries, and these by the root
 * of the log. It holds some rows at a time.
 * @returns the ids of its items, and how many entries are left out
 * @throws Error where a file of the bundle cannot be read
 */
export async function verifyBundledRepo(
  archive: BundleArchive,
  { description: { name, schema }, size }: BundledRepo,
  verification: RepoVerification,
): Promise<{ ids: IdSet; items: number; omitted: number }> {
  const { hash, root, onDamage, onItem, signal } = verification
  const ids = new IdSet()
  const rows = new RowsAhead(rowsOf(await archive.open(`items/${name}.ndjson`)))
  const builder = new TreeBuilder(hash)
  const tell = (item: number, what: string) => onDamage({ item, what })
  let at = 0
  let items = 0
  let omitted = 0
  let isTree = true
  for await (const part of readLogParts(await archive.open(`log/${name}`))) {
    signal.throwIfAborted()
    if (part.kind === 'omitted') {
      isTree &&= at % part.entries === 0
      if (isTree) await builder.add(part.root, part.entries)
      at += part.entries
      omitted += part.entries
      continue
    }
    if (isTree) await builder.add(part.leaf)
    at += 1
    const entry = readEntry(new TextDecoder().decode(part.entry))
    if (entry === undefined) {
      onDamage({ log: name, what: `entry ${at} cannot be read` })
      continue
    }
    if (toHex(await leafHash(part.entry, hash)) !== toHex(part.leaf)) {
      tell(entry.id, 'is not what its entry in the log was made of')
    }
    for (const row of await rows.before(entry.id)) tell(Number(row['id']), 'is not in the log')
    const row = await rows.take(entry.id)
    if (row === undefined) {
      tell(entry.id, 'is in the log alone')
      continue
    }
    ids.add(entry.id)
    items += 1
    const { values, bytes } = await checkRow(row, schema, { entry, ids }, verification)
    onItem(values, bytes)
  }
  for await (const row of rows.rest()) tell(Number(row['id']), 'is not in the log')
  const built = !isTree ? undefined : at === 0 ? emptyRoot : toHex(await builder.root())
  if (at !== size) {
    onDamage({ log: name, what: `it has ${at} entries, and the checkpoint is of ${size}` })
  } else if (root !== undefined && built !== toHex(root)) {
    onDamage({ log: name, what: 'its entries are not those that the checkpoint is signed for' })
  }
  return { ids, items, omitted }
}

/** Checks the values of a row, and the row by its entry. */
async function checkRow(
  row: Row,
  schema: readonly SchemaField[],
  { entry, ids }: { entry: Entry; ids: IdSet },
  { hash, leads, onFile, onDamage }: RepoVerification,
): Promise<{ values: number; bytes: number }> {
  const item = entry.id
  let values = 0
  let bytes = 0
  for (const field of schema) {
    const tell = (what: string) => onDamage({ item, field: field.name, what })
    const [value, sha256] = [row[field.name], row[`${field.name}.sha256`]]
    if (value === undefined && sha256 === undefined) continue
    values += 1
    if (typeof sha256 !== 'string') tell('has no digest')
    else if (value === undefined) tell('has a digest and no value')
    else if (field.type === 'binary') {
      if (value === sha256) onFile(sha256, { item, field: field.name })
      else tell(`is not what has the digest ${sha256}`)
    } else {
      const text = new TextEncoder().encode(textOf(field, value))
      bytes += text.length
      if (toHex(await hash(text)) !== sha256) tell(`is not what has the digest ${sha256}`)
      if (field.type === 'reference' && !leads(field.target, Number(value), ids)) {
        tell(`leads to item ${Number(value)} of ${field.target}, which the bundle lacks`)
      }
    }
  }
  const fields = schema.map(({ name }) => name)
  if (entry.seal !== (await sealOfRow(row, fields, hash))) {
    onDamage({ item, what: 'is not what its entry in the log says' })
  } else if (entry.createdAt !== row['createdAt']) {
    onDamage({ item, what: 'was not added when its entry in the log says' })
  }
  return { values, bytes }
}

/** The canonical text of a value; nothing where it is none of its type. */
function textOf(field: SchemaField, value: unknown): string {
  try {
    return canonicalText(field, value as never)
  } catch {
    return ''
  }
}

/** Rows of which the next few can be looked at before they are taken. */
class RowsAhead {
  readonly #rows: AsyncGenerator<Row>
  #ahead: Row[] = []
  #isAtEnd = false

  constructor(rows: AsyncGenerator<Row>) {
    this.#rows = rows
  }

  /** Takes the rows that stand before that of an item, where it is near. */
  async before(id: number): Promise<Row[]> {
    for (let at = 0; at < aheadMax; at += 1) {
      if (at === this.#ahead.length && !(await this.#read())) return []
      if (this.#ahead[at]!['id'] === id) return this.#ahead.splice(0, at)
    }
    return []
  }

  /** Takes the next row where it is that of an item. */
  async take(id: number): Promise<Row | undefined> {
    return this.#ahead[0]?.['id'] === id ? this.#ahead.shift() : undefined
  }

  async *rest(): AsyncGenerator<Row> {
    yield* this.#ahead
    if (!this.#isAtEnd) yield* this.#rows
  }

  async #read(): Promise<boolean> {
    const { done, value } = await this.#rows.next()
    if (done === true) {
      this.#isAtEnd = true
      return false
    }
    this.#ahead.push(value)
    return true
  }
}
