import { sql } from 'kysely'
import type { EngineSql, Expression } from '../engine-sql.ts'

export const sqliteSql: EngineSql = {
  now: () => sql`cast(unixepoch('subsec') * 1000 as integer)`,

  numberedKey: () => sql`integer primary key autoincrement`,
  // It remembers the largest one that was ever written.
  skipNumbers: (_table, last) => sql`select ${last}`,
  integer: () => sql`integer`,
  number: () => sql`real`,
  text: () => sql`text`,
  bytes: () => sql`blob`,
  tableEnd: ({ byKey }) => (byKey ? sql`strict, without rowid` : sql`strict`),
  numbers: (values) => sql`json_each(${JSON.stringify(values)})`,
  // Of an element that is a list, `json_each` would write its JSON, for each cell to be read again.
  listedRows: (json) => sql`jsonb_each(cast(${json} as text))`,
  listedIndex: () => sql`key`,
  // Its own reading of decimal fractions is not always of the nearest number
  // (https://www.sqlite.org/floatingpoint.html), so ours is asked.
  listedCell: (at, kind) =>
    kind === 'number' ? sql`number_of(value -> ${sql.lit(at)})` : sql`value ->> ${sql.lit(at)}`,
  // Of an empty blob `substr` is NULL.
  listedBytes: (bytes, each) =>
    each === 0 ? sql`x''` : sql`substr(${bytes}, key * ${sql.lit(each)} + 1, ${sql.lit(each)})`,
  cellColumns: (cells) => sql`json_array(${sql.join(cells)}) as list`,
  joinedCells: () => sql`cast(string_agg(list, ',') as blob)`,
  joinedTexts: (text) => sql`cast(string_agg(${text}, ',') as blob)`,
  // Left out, it is one more than the largest, where there is one
  // (https://www.sqlite.org/lang_createtable.html#rowid); a window function costs more than the row.
  nextPositions: ({ count, by, isBegun }) =>
    isBegun ? sql`null` : sql`${count} - 1 + row_number() over (order by ${by})`,
  // It would begin with the table of the condition, whichever has fewer rows.
  implied: () => sql`true`,
  // There is only one writer.
  rowLock: () => sql``,

  // One parameter for any number of values: a statement takes 32,766.
  isOneOf: (subject, values, kind) =>
    kind === 'number'
      ? sql`${subject} in (${sql.join(values)})`
      : sql`${subject} in (select value from json_each(${JSON.stringify(values)}))`,
  contains: (text, part) => sql`instr(${text}, ${part}) > 0`,
  fitsName: (name, pattern) => sql`${name} glob ${pattern}`,
  containsFolded: (text, folded) =>
    foldedContains(text, folded, sql`instr(fold_case(${text}), ${folded}) > 0`),
  containsSearched: (text, folded) =>
    foldedContains(text, folded, sql`includes_searched(${text}, ${folded})`),
  // A first character of ASCII folds to one, its small letter: few texts are left for a call out of SQLite.
  beginsSearched: (text, folded) => sql`(
    case when unicode(${text}) > 127 or lower(substr(${text}, 1, 1)) = substr(${folded}, 1, 1)
    then begins_searched(${text}, ${folded}) end)`,
  // In bytes, as SQLite finds the last of them at once, and the last character only by counting all.
  endsWith: (text, part) =>
    part === ''
      ? sql`${text} is not null`
      : sql`substr(cast(${text} as blob), ${-Buffer.byteLength(part)}) = ${Buffer.from(part)}`,
  // By their bytes in UTF-8, which have the same order.
  inCodePoints: (text) => text,
  // None of the code points is NUL, where SQLite would stop.
  length: (text) => sql`length(${text})`,
  plainJson: (json) => sql`plain_json(${json})`,
  castText: (text, to) => sql`cast_text(${text}, ${sql.lit(to)})`,
  sha256Of: (text) => sql`sha256_of(${text})`,
  checkedDigest: (text, check) => sql`checked_digest(${text}, ${check})`,
  splitPoint: (key, salt, total) => sql`split_point(${key}, ${salt}, ${total})`,
  naturalKey: (text) => sql`natural_key(${text})`,
  // What `||` makes of texts and of bytes is a text of their bytes.
  textBytes: (text, inverted) => (inverted ? sql`inverted_bytes(${text})` : sql`${text} || x'00'`),
  numberBytes: (number, count) => sql`unhex(printf(${sql.lit(`%0${2 * count}X`)}, ${number}))`,
  floatBytes: (number) => sql`float_bytes(${number})`,
  numberText: (number) => sql`number_text(${number})`,
  numberCell: (number) => sql`json(number_text(${number}))`,
  hexOf: (bytes) => sql`hex(${bytes})`,
  byte: (value) => sql`x'${sql.raw(value.toString(16).padStart(2, '0'))}'`,
  joinedBytes: (parts) => sql`cast(${sql.join(parts, sql` || `)} as blob)`,
}

/** Bytes of texts that are folded within SQLite, as the functions of the connection are told of no shorter ones. */
const shortBytes = 4096

/** Characters up to which a part is looked for by LIKE: https://www.sqlite.org/limits.html bounds its patterns. */
const likeMax = 1000

// LIKE and lower() fold ASCII alone, and do so without leaving SQLite; LIKE makes no copy of the text. A text is all
// ASCII when it has as many bytes as code points; each call of a function is a tenth of the time that a row takes.
function foldedContains(text: Expression, folded: string, inAny: Expression): Expression {
  const isAscii = sql`length(${text}) = octet_length(${text})`
  const isShortAscii = sql`length(${text}) between octet_length(${text}) and ${sql.lit(shortBytes)}`
  const inAscii =
    folded.length > likeMax
      ? sql`instr(lower(${text}), ${folded}) > 0`
      : sql`${text} like ${`%${folded.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`} escape '\\'`
  return /^[\0-\x7f]*$/.test(folded)
    ? sql`case when ${isShortAscii} then ${inAscii} else ${inAny} end`
    : sql`(not ${isAscii} and ${inAny})`
}
