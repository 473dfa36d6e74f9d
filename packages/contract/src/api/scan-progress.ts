import * as z from 'zod/mini'

/**
 * Header of a page or count that was asked for with `partial=true` and is a part: `120000/3000000` when
 * the view has looked at so many of so many items. What was found stays.
 */
export const progressHeader = 'vitrine-scanned'

/** How many of the items of its repository a view has looked at; fewer than all until it is ready. */
export const scanProgress = z.object({ scanned: z.number(), total: z.number() })
export type ScanProgress = z.infer<typeof scanProgress>

/** Reads the header; undefined where there is none, or one that says something else. */
export function readProgress(header: string | null): ScanProgress | undefined {
  const [, scanned, total] = /^(\d{1,15})\/(\d{1,15})$/.exec(header ?? '') ?? []
  if (scanned === undefined || total === undefined) return undefined
  return { scanned: Number(scanned), total: Number(total) }
}
