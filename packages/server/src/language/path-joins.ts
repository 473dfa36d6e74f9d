import type { Path } from '@vitrine/contract'
import { sql, type RawBuilder } from 'kysely'
import type { Expression } from '../store/expressions.ts'
import { itemRow, type RowPlace, type ShownField } from '../store/item-rows.ts'
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
    const { steps, end } = this.#definitions.stored(path, this.#dataset)
    const last = steps.at(-1)
    if (last !== undefined && end === 'id') {
      // A reference is the id of what it leads to.
      return this.#follow(steps.slice(0, -1))(last.column)
    }
    return this.#follow(steps)((typeof end === 'string' ? end : end.column) + suffix)
  }

  /** A field that a dataset shows. */
  shown(name: string, path: Path): ShownField {
    const { steps, end } = this.#definitions.stored(path, this.#dataset)
    if (typeof end === 'string') throw new Error(`${path.text} is no field`)
    return { ...end, name, row: this.#follow(steps) }
  }

  #follow(steps: StoredPath['steps']): RowPlace {
    let row: RowPlace = itemRow
    let trail = ''
    for (const { column, repoId } of steps) {
      trail += `.${column}`
      const known = this.#rows.get(trail) ?? this.#lead(row(column), repoId)
      this.#rows.set(trail, known)
      row = known
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
