import { plainText } from '@vitrine/contract'
import type { CellValue, ShownValue } from './value.ts'
import type { EditProps } from './entry.ts'
import { EditLine } from './EditLine.tsx'
import { ShowExact } from './ShowExact.tsx'

/** In UTC, so that the day is the same in every time zone. */
const local = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' })

/** Shows a day in the reader's language; the tooltip is the ISO 8601 text. */
function Day({ iso }: { iso: string }) {
  const day = new Date(iso)
  return (
    <time dateTime={iso} title={iso}>
      {Number.isNaN(day.getTime()) ? iso : local.format(day)}
    </time>
  )
}

export function DateCell({ value }: CellValue) {
  return <Day iso={plainText(value)} />
}

export function EditDate(props: EditProps<string>) {
  return <EditLine {...props} takes="a date" type="date" min="0001-01-01" max="9999-12-31" />
}

/** Shows a day in the reader's language and as its exact text. */
export function ShowDate(shown: ShownValue) {
  return (
    <ShowExact {...shown}>
      <Day iso={plainText(shown.value)} />
    </ShowExact>
  )
}
