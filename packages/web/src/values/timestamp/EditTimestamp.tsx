import type { EditProps } from '../edit-props.ts'
import { EditLine } from '../EditLine.tsx'

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
