import { findListing } from '../../store/listings.ts'
import { findSummary } from '../../store/summaries.ts'
import { openFold, openFoldPool } from './worker-fold.ts'
import type { ReadContext } from '../read-context.ts'
import { type Summarized, columnsOf, fieldsKey, foldedFields, goesOn } from './summaries.ts'
import { openSummarySource } from './summary-source.ts'

/**
 * Makes a summary of at most `itemsMax` items once more, and compares it with the one in the database.
 * @yields a sentence for a fault, and undefined after each window that was read
 */
export async function* checkSummary(
  context: ReadContext,
  summarized: Summarized,
  itemsMax: number,
): AsyncGenerator<string | undefined> {
  const { reads } = context.store
  const row = await findSummary(reads, summarized.owner)
  if (row === undefined || row.items > itemsMax) return
  const source = await openSummarySource(context, summarized, { partial: true, cachedOnly: true })
  if (source.basis === undefined || !goesOn(row, summarized, source)) return
  if (row.fields !== fieldsKey(summarized) || row.items > source.end.items) return
  const fields = foldedFields(summarized)
  const pool = openFoldPool()
  try {
    const fold = await openFold(pool.openSession(), fields, undefined)
    const snapshot = source.snapshot({ scanned: 0, items: 0 })
    for await (const rows of snapshot.read(row.items, columnsOf(fields))) {
      await fold.add(rows)
      yield undefined
    }
    const { items, fields: folded } = await fold.peek()
    yield items === row.items && folded === row.summary
      ? undefined
      : 'its summary is not of its items'
  } catch (error) {
    const listing = row.listing_id === null ? undefined : await findListing(reads, row.listing_id)
    // One that was replaced meanwhile is emptied, and removed.
    const isReplaced =
      row.listing_id !== null && (listing === undefined || listing.state === 'dropped')
    if (!isReplaced) throw error
  } finally {
    await pool.close()
  }
}
