import * as z from 'zod/mini'
import { limits } from '../limits.ts'
import { digits } from './query-text.ts'

/** Number and length of a page of a list. */
export const page = z.strictObject({
  page: z._default(digits(0, limits.pageMax), 0),
  pageSize: z._default(digits(1, limits.pageSizeMax), limits.pageSize),
})

const partial = z.pipe(
  z.enum(['true', 'false'], 'must be true or false').register(z.globalRegistry, {
    description:
      'Whether what a view has found so far will do; the header `vitrine-scanned` then says how far it ' +
      'has looked. Otherwise the answer is whole, or 503 `VIEW_NOT_READY`',
  }),
  z.transform((text) => text === 'true'),
)

/** Asks for a part of an answer rather than to wait for all; of a server that announces `partial`. */
export const partially = z.strictObject({ partial: z.optional(partial) })
