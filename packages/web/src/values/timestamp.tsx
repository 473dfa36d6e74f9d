import { plainText } from '@vitrine/contract'
import { Timestamp } from '../ui/Time.tsx'
import type { CellValue, ShownValue } from './value.ts'
import type { EditProps } from './entry.ts'
import { EditLine } from './EditLine.tsx'
import { ShowExact } from './ShowExact.tsx'

export function TimestampCell({ value }: CellValue) {
  return <Timestamp iso={plainText(value)} />
}

/** A text input: `datetime-local` takes no time zone and no microseconds. */
export function EditTimestamp(props: EditProps<string>) {
  return (
    <EditLine
      {...props}
      takes="a moment, in UTC unless it says otherwise"
      placeholder="2026-11-22T15:04:05Z"
    />
  )
}

/** Shows a timestamp in the reader's time zone and as its exact text. */
export function ShowTimestamp(shown: ShownValue) {
  return (
    <ShowExact {...shown}>
      <Timestamp iso={plainText(shown.value)} />
    </ShowExact>
  )
}
