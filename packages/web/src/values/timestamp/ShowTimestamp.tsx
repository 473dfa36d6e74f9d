import { plainText } from '@vitrine/contract'
import { Timestamp } from '../../ui/Timestamp.tsx'
import { ShowExact } from '../ShowExact.tsx'
import type { ShownValue } from '../value.ts'

/** Shows a timestamp in the reader's time zone and as its exact text. */
export function ShowTimestamp(shown: ShownValue) {
  return (
    <ShowExact {...shown}>
      <Timestamp iso={plainText(shown.value)} />
    </ShowExact>
  )
}
