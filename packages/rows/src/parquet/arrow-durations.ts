import type { FileMetaData } from 'hyparquet'

/**
 * Columns that Arrow calls durations, by name, with the digits of a second that their numbers count: 6 of
 * microseconds. Undefined for a column that has some in lists or structures. Parquet has no such type: pyarrow, pandas and
 * Polars write whole numbers, and say what they count only in Arrow's schema in the key `ARROW:schema`
 * (https://arrow.apache.org/docs/format/Columnar.html, Encapsulated message format).
 */
export function arrowDurations({
  key_value_metadata: entries,
}: FileMetaData): Map<string, number | undefined> {
  const schema = entries?.find(({ key }) => key === 'ARROW:schema')?.value
  try {
    return new Map(schema === undefined ? [] : durationsIn(schema))
  } catch {
    // Not an Arrow schema: the types of Parquet are all that is known.
    return new Map()
  }
}

/** https://github.com/apache/arrow/blob/main/format/Schema.fbs: members by their order, types by number. */
const [headerOfMessage, fieldsOfSchema] = [2, 1]
const [nameOfField, typeOfField, typeTableOfField, childrenOfField] = [0, 2, 3, 5]
const unitOfDuration = 0
/** Digits of a second by the number of a unit: seconds, milliseconds, microseconds, nanoseconds. */
const digitsOfUnit = [0, 3, 6, 9]
const milliseconds = 1
/** Fields may be reached in many ways, of which there would be no end. */
const fieldsMax = 100_000
const duration = 18

function* durationsIn(base64: string): Generator<[name: string, digits: number | undefined]> {
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
  const isDuration = (field: number) => view.getUint8(member(field, typeOfField)) === duration
  const digitsOf = (field: number): number | undefined => {
    const unit = member(follow(member(field, typeTableOfField)), unitOfDuration)
    return digitsOfUnit[unit === 0 ? milliseconds : view.getInt16(unit, true)]
  }
  const has = (field: number): boolean => {
    left -= 1
    if (left < 0) throw new Error('a schema has too many fields')
    if (isDuration(field)) return true
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
    yield [new TextDecoder().decode(text), isDuration(field) ? digitsOf(field) : undefined]
  }
}
