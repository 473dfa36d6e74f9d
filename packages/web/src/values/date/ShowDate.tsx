import { plainText } from '@vitrine/contract'
import { ShowExact } from '../ShowExact.tsx'
import type { ShownValue } from '../value.ts'
import { Day } from './Day.tsx'

/** Shows a day in the reader's language and as its exact text. */
export function ShowDate(shown: ShownValue) {
  return (
    <ShowExact {...shown}>
      <Day iso={plainText(shown.value)} />
    </ShowExact>
  )
}
