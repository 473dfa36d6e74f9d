import { sql } from 'kysely'
import type { EngineSql } from '../engine-sql.ts'

export const sqliteSql: EngineSql = {
  now: () => sql`cast(unixepoch('subsec') * 1000 as integer)`,

  numberedKey: () => sql`integer primary key autoincrement`,
  // It remembers the largest one that was ever written.
  skipNumbers: (_table, last) => sql`select ${last}`,
  integer: () => sql`integer`,
  text: () => sql`text`,
  bytes: () => sql`blob`,
  tableEnd: ({ byKey }) => (byKey ? sql`strict, without rowid` : sql`strict`),
  numbers: (values) => sql`json_each(${JSON.stringify(values)})`,
  // Of an element that is a list, `json_each` would write its JSON, for each cell to be read again.
  listedRows: (json) => sql`jsonb_each(cast(${json} as text))`,
  listedIndex: () => sql`key`,
  listedCell: (at) => sql`value ->> ${sql.lit(at)}`,
  // Of an empty blob `substr` is NULL.
  listedBytes: (bytes, each) =>
    each === 0 ? sql`x''` : sql`substr(${bytes}, key * ${sql.lit(each)} + 1, ${sql.lit(each)})`,
  cellList: (cells) => sql`json_array(${sql.join(cells)})`,
  joinedLists: (list) => sql`cast(string_agg(${list}, ',') as blob)`,
  // Left out, it is one more than the largest, where there is one
  // (https://www.sqlite.org/lang_createtable.html#rowid); a window function costs more than the row.
  nextPositions: ({ count, by, isBegun }) =>
    isBegun ? sql`null` : sql`${count} - 1 + row_number() over (order by ${by})`,
  // Whoever writes is alone.
  rowLock: () => sql``,

  // One parameter for any number of values: a statement takes 32,766.
  isOneOf: (subject, values) =>
    sql`${subject} in (select value from json_each(${JSON.stringify(values)}))`,
  contains: (text, part) => sql`instr(${text}, ${part}) > 0`,
  // lower() folds ASCII alone, and does so without leaving SQLite; a text is all ASCII when it has as
  // many bytes as code points.
  containsFolded: (text, folded) => {
    const isAscii = sql`length(${text}) = octet_length(${text})`
    const inAscii = sql`instr(lower(${text}), ${folded}) > 0`
    const inAny = sql`instr(fold_case(${text}), ${folded}) > 0`
    return /^[\0-\x7f]*$/.test(folded)
      ? sql`case when ${isAscii} then ${inAscii} else ${inAny} end`
      : sql`(not ${isAscii} and ${inAny})`
  },
  // In bytes, as SQLite finds the last of them at once, and the last character only by counting all.
  endsWith: (text, part) =>
    part === ''
      ? sql`${text} is not null`
      : sql`substr(cast(${text} as blob), ${-Buffer.byteLength(part)}) = ${Buffer.from(part)}`,
  // None of the code points is NUL, where SQLite would stop.
  length: (text) => sql`length(${text})`,
  splitPoint: (key, salt, total) => sql`split_point(${key}, ${salt}, ${total})`,
  textInHex: (text, inverted) =>
    inverted ? sql`inverted_hex(${text})` : sql`hex(${text}) || '00'`,
  numberInHex: (number, digits) => sql`printf(${sql.lit(`%0${digits}X`)}, ${number})`,
  hexOf: (bytes) => sql`hex(${bytes})`,
  bytesOf: (hex) => sql`unhex(${hex})`,
}
