import * as z from 'zod/mini'
import { limits } from '../limits.ts'
import { digits } from './query-text.ts'

/** Number and length of a page of a list. */
export const page = z.strictObject({
  page: z._default(digits(0, limits.pageMax), 0),
  pageSize: z._default(digits(1, limits.pageSizeMax), limits.pageSize),
})
