import type { ImportState } from '@vitrine/contract'
import { Notice } from '../ui/Notice.tsx'
import { showItems } from '../ui/show-amounts.ts'
import { Timestamp } from '../ui/Timestamp.tsx'

/** Says that the same file was imported before, as importing it again adds its rows again. */
export function EarlierNotice({ earlier: { state, createdAt, items } }: { earlier: ImportState }) {
  if (state === 'checking' || state === 'publishing') {
    return <Notice urgent>This file is being imported at this moment: see below.</Notice>
  }
  if (state !== 'done' || items === undefined) return null
  return (
    <Notice urgent>
      This file was imported on <Timestamp iso={createdAt} /> as {showItems(items.to - items.from)}.
      Importing it again adds all of them once more.
    </Notice>
  )
}
