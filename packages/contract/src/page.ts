import * as z from 'zod/mini'
import { limits } from './limits.ts'
import { digits } from './query-text.ts'

/** Which page of a list, and how long pages are. */
export const page = z.strictObject({
  page: z._default(digits(0, limits.pageMax), 0),
  pageSize: z._default(digits(1, limits.pageSizeMax), limits.pageSize),
})
