import * as z from 'zod/mini'
import { readCondition, type Condition } from './condition.ts'
import { readOrder } from './order.ts'
import { schemalessScope, type Scope } from './scope.ts'

type Report = Scope['report']

/** A condition as JSON text. Its shape is checked; its paths are when the dataset is known. */
const whereText = checkedText((text, report): Condition => {
  const where = parseJson(text)
  if (where === undefined) report({ path: [], reason: 'must be a condition as JSON' })
  else readCondition(where, [], schemalessScope(report))
  return where as Condition
})

/** Keys to order by with commas between them, such as `-createdAt,title`. */
const orderText = checkedText((text, report): string[] => {
  const order = text.split(',')
  const inOrder: Report = ({ path: [, ...path], reason }) => report({ path, reason })
  readOrder(order, schemalessScope(inOrder))
  return order
})

/**
 * What a query asks of the items of a dataset beyond the page: the clauses `where` and `order` of the
 * view language, as they would stand in a view on that dataset.
 */
export const exploration = z.strictObject({
  where: z.optional(whereText),
  order: z.optional(orderText),
})
export type Exploration = { where?: Condition | undefined; order?: string[] | undefined }

/**
 * Writes a value of a query so that the schemas of the calls read it back: lists by commas, mappings
 * as JSON.
 */
export function queryText(value: unknown): string {
  if (typeof value === 'string') return value
  return Array.isArray(value) ? value.join(',') : JSON.stringify(value)
}

function checkedText<T>(read: (text: string, report: Report) => T) {
  return z.pipe(
    z.string(),
    z.transform((text, context): T => {
      return read(text, ({ path, reason }) =>
        context.issues.push({ code: 'custom', path: [...path], message: reason, input: text }),
      )
    }),
  )
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
