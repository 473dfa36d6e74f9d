import {
  type FieldType,
  type Path,
  type SchemaField,
  type ViewField,
  textOf,
} from '@vitrine/contract'
import { type RawBuilder, sql } from 'kysely'
import { cellText } from '../store/cell-text.ts'
import { type Expression, castText, isOneOf, plainJson, sha256Of } from '../store/expressions.ts'
import { type RowPlace, type ShownField, itemRow, storedField } from '../store/item-rows.ts'
import { itemTable } from '../store/items.ts'
import type { Definitions, StoredPath } from './definitions.ts'

/** SQLite joins at most 64 tables (https://www.sqlite.org/limits.html). */
const joinsMax = 60

/**
 * The references that a query follows: each is joined once, however many paths share it. What it
 * leads to is there, or NULL when the reference is.
 */
export class PathJoins {
  readonly #definitions: Definitions
  readonly #dataset: string
  readonly #rows = new Map<string, RowPlace>()
  readonly #joins: Expression[] = []

  /** Paths lead from `dataset`, whose items are rows of the table that `itemRow` speaks of. */
  constructor(dataset: string, definitions: Definitions) {
    this.#dataset = dataset
    this.#definitions = definitions
  }

  /** To stand after the table that items are of. */
  get sql(): RawBuilder<unknown> {
    return sql.join(this.#joins, sql` `)
  }

  /** The value at the end of a path; a suffix is for what is kept beside it. */
  value(path: Path, suffix = ''): Expression {
    const { steps, end, casts } = this.#definitions.stored(path, this.#dataset)
    const last = steps.at(-1)
    if (last !== undefined && end === 'id') {
      // A reference is the id of what it leads to.
      return this.#follow(steps.slice(0, -1))(last.column)
    }
    const row = this.#follow(steps)
    if (typeof end === 'string') return row(end)
    return castSql(row(end.column + suffix), end.type, casts)
  }

  /** A field that a dataset shows. */
  shown({ field, path, isCast }: ViewField): ShownField {
    const { name } = field
    const { steps, end, casts: before } = this.#definitions.stored(path, this.#dataset)
    if (typeof end === 'string') throw new Error(`${path.text} is no field`)
    const joined = storedField({ ...end, name }, this.#follow(steps))
    const casts = isCast ? [...before, field] : before
    const last = casts.at(-1)
    if (last === undefined) return joined
    const cell = castSql(joined.cell, end.type, casts)
    const { type } = last
    const seal = [sha256Of(cellText(type, cell))]
    return { name, type, cell, seal, bytesMax: textOf(last)?.maxBytes(last) ?? 0 }
  }

  /** Whether a field that a view casts has a value that cannot be read as its type. */
  isUnparsed({ field, path }: ViewField): Expression {
    const value = this.value(path)
    const cast = castSql(value, path.field.type as FieldType, [field])
    return sql`${value} is not null and ${cast} is null`
  }

  #follow(steps: StoredPath['steps']): RowPlace {
    let row: RowPlace = itemRow
    let trail = ''
    for (const { column, repoId } of steps) {
      trail += `.${column}`
      const join = this.#rows.get(trail) ?? this.#lead(row(column), repoId)
      this.#rows.set(trail, join)
      row = join
    }
    return row
  }

  #lead(reference: Expression, repoId: number): RowPlace {
    const table = itemTable(repoId)
    if (this.#joins.length === joinsMax) {
      return (column) => sql`(select ${sql.ref(column)} from ${table} where id = ${reference})`
    }
    const alias = `j${this.#joins.length}`
    const id = sql.ref(`${alias}.id`)
    this.#joins.push(sql`left join ${table} as ${sql.ref(alias)} on ${id} = ${reference}`)
    return (column) => sql.ref(`${alias}.${column}`)
  }
}

/** A cell cast to one type after the other, as the contract's `castValue` does. */
function castSql(cell: Expression, type: FieldType, casts: readonly SchemaField[]): Expression {
  const [to, ...rest] = casts
  return to === undefined ? cell : castSql(castOnce(cell, type, to), to.type, rest)
}

function castOnce(cell: Expression, from: FieldType, to: SchemaField): Expression {
  const read = castText(sourceSql(cell, from, to.type), to.type)
  if (to.type !== 'string' || to.choices === undefined) return read
  return sql`case when ${isOneOf(read, to.choices, 'text')} then ${read} end`
}

/** The text that is read: of JSON text without its quotes, of a moment its day where a day is read. */
function sourceSql(cell: Expression, from: FieldType, to: FieldType): Expression {
  if (from === 'json') return plainJson(cell)
  return from === 'timestamp' && to === 'date'
    ? sql`substr(${cell}, 1, ${sql.lit('yyyy-mm-dd'.length)})`
    : cellText(from, cell)
}
