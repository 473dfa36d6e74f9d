import * as z from 'zod/mini'
import { readCondition, type Condition } from './condition.ts'
import { readOrder } from './order.ts'
import { parseJson } from './query-text.ts'
import { schemalessScope, type Scope } from './scope.ts'

type Report = Scope['report']

/** Its shape is checked; its paths are when the dataset is known. */
const whereText = checkedText(
  (text, report): Condition => {
    const where = parseJson(text)
    if (where === undefined) report({ path: [], reason: 'must be a condition as JSON' })
    else readCondition(where, [], schemalessScope(report))
    return where as Condition
  },
  {
    description: 'Only items that pass: the condition of a view on this dataset, as JSON',
    examples: ['{"title":{"icontains":"cat"}}'],
  },
)

const orderText = checkedText(
  (text, report): string[] => {
    const order = text.split(',')
    const inOrder: Report = ({ path: [, ...path], reason }) => report({ path, reason })
    readOrder(order, schemalessScope(inOrder))
    return order
  },
  {
    description:
      'Paths to order by, with commas between them; a hyphen turns one around, and natural: counts digits',
    examples: ['-createdAt,title', '-natural:file'],
  },
)

/**
 * Filter and order of a query for the items of a dataset: the clauses `where` and `order` of the
 * view language, as they would stand in a view on that dataset.
 */
export const exploration = z.strictObject({
  where: z.optional(whereText),
  order: z.optional(orderText),
})
export type Exploration = { where?: Condition | undefined; order?: string[] | undefined }

function checkedText<T>(
  read: (text: string, report: Report) => T,
  documented: { description: string; examples: string[] },
) {
  return z.pipe(
    z.string().register(z.globalRegistry, documented),
    z.transform((text, context): T => {
      return read(text, ({ path, reason }) =>
        context.issues.push({ code: 'custom', path: [...path], message: reason, input: text }),
      )
    }),
  )
}
