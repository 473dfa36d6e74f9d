import type { FileMetaData } from 'hyparquet'

/**
 * The names of columns that Arrow calls durations, or that have some in them. Parquet has no such type: pyarrow, pandas and Polars
 * write whole numbers, and say what they count only in Arrow's schema in the key `ARROW:schema`
 * (https://arrow.apache.org/docs/format/Columnar.html, Encapsulated message format).
 */
export function arrowDurations({ key_value_metadata: entries }: FileMetaData): Set<string> {
  const said = entries?.find(({ key }) => key === 'ARROW:schema')?.value
  try {
    return new Set(said === undefined ? [] : durationsIn(said))
  } catch {
    // Of what is no such schema nothing is known; the file is read as what Parquet says of it.
    return new Set()
  }
}

/** https://github.com/apache/arrow/blob/main/format/Schema.fbs: members by their order, types by number. */
const [headerOfMessage, fieldsOfSchema] = [2, 1]
const [nameOfField, typeOfField, childrenOfField] = [0, 2, 5]
/** Fields may be reached in many ways, of which there would be no end. */
const fieldsMax = 100_000
const duration = 18

function* durationsIn(base64: string): Generator<string> {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  const all = new DataView(bytes.buffer)
  // The length stands behind a mark that old writers leave out.
  const start = all.getInt32(0, true) === -1 ? 8 : 4
  const view = new DataView(bytes.buffer, start)
  const follow = (at: number) => at + view.getUint32(at, true)
  /** Returns the place of a member of a table by its vtable (FlatBuffers); 0 where it is left out. */
  const member = (table: number, index: number): number => {
    const vtable = table - view.getInt32(table, true)
    const at = 4 + 2 * index
    const offset = at < view.getUint16(vtable, true) ? view.getUint16(vtable + at, true) : 0
    return offset === 0 ? 0 : table + offset
  }
  const fields = follow(member(follow(member(follow(0), headerOfMessage)), fieldsOfSchema))
  let left = fieldsMax
  const has = (field: number): boolean => {
    left -= 1
    if (left < 0) throw new Error('a schema has too many fields')
    if (view.getUint8(member(field, typeOfField)) === duration) return true
    const children = member(field, childrenOfField)
    if (children === 0) return false
    const vector = follow(children)
    for (let index = 0; index < view.getUint32(vector, true); index += 1) {
      if (has(follow(vector + 4 + 4 * index))) return true
    }
    return false
  }
  for (let index = 0; index < view.getUint32(fields, true); index += 1) {
    const field = follow(fields + 4 + 4 * index)
    if (!has(field)) continue
    const name = follow(member(field, nameOfField))
    const text = new Uint8Array(bytes.buffer, start + name + 4, view.getUint32(name, true))
    yield new TextDecoder().decode(text)
  }
}
