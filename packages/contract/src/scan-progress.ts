/**
 * Header of a page or count of a view that was answered before the view had looked at all of its
 * repository: `120000/3000000` for so many of so many items. What was found stays.
 */
export const progressHeader = 'vitrine-scanned'

/** How many of the items of its repository a view has looked at. */
export type ScanProgress = { scanned: number; total: number }

/** Reads the header; undefined where there is none, or one that says something else. */
export function readProgress(header: string | null): ScanProgress | undefined {
  const [, scanned, total] = /^(\d{1,15})\/(\d{1,15})$/.exec(header ?? '') ?? []
  if (scanned === undefined || total === undefined) return undefined
  return { scanned: Number(scanned), total: Number(total) }
}
