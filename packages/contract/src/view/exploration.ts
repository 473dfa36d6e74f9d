import * as z from 'zod/mini'
import { type Condition, readCondition } from './condition.ts'
import { isStorable, notStorable } from '../text/text.ts'
import { limits } from '../limits.ts'
import { readOrder } from './order.ts'
import { parseJson } from '../api/query-text.ts'
import { type Scope, schemalessScope } from './scope.ts'

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

const words = z
  .string()
  .check(
    z.maxLength(limits.searchLength, `must be at most ${limits.searchLength} characters`),
    z.refine(isStorable, notStorable),
  )
  .register(z.globalRegistry, {
    description:
      'Only items of which one field that is text or an address has all of these words in it; case ' +
      'and accents make no difference',
    examples: ['black cat'],
  })

const current = z.pipe(
  z.enum(['true', 'false'], 'must be true or false').register(z.globalRegistry, {
    description:
      'Whether items that another one replaces, and those that withdraw another, are left out; of a server that ' +
      'announces `current`',
  }),
  z.transform((text) => text === 'true'),
)

/**
 * Filter and order of a query for the items of a dataset: the clauses `where` and `order` of the
 * view language, as they would stand in a view on that dataset, words to look for in all texts, and whether what was
 * replaced is left out.
 */
export const exploration = z.strictObject({
  where: z.optional(whereText),
  order: z.optional(orderText),
  q: z.optional(words),
  current: z.optional(current),
})
export type Exploration = {
  where?: Condition | undefined
  order?: string[] | undefined
  q?: string | undefined
  current?: boolean | undefined
}

/** Returns what an exploration asks without its order, for calls whose result does not depend on it. */
export function filterOf(exploration: Exploration): Omit<Exploration, 'order'> {
  const { order: _, ...filter } = exploration
  return filter
}

/** Whether items may be left out of what is asked. */
export function isPart({ where, q, current }: Exploration): boolean {
  return where !== undefined || q !== undefined || current === true
}

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
