import { plainText } from '@vitrine/contract'
import { EditLine } from './EditLine.tsx'
import type { EditProps } from './entry.ts'
import { ShowExact } from './ShowExact.tsx'
import type { CellValue, ShownValue } from './value.ts'

const units = { D: 'd', H: 'h', M: 'min', S: 's' } as const

/** Reads the canonical text of a duration as people write it: `1 d 2 h 3 min 4.5 s`. */
function shortText(iso: string): string {
  const parts = [...iso.matchAll(/([\d.]+)([DHMS])/g)].map(
    ([, count, unit]) => `${count} ${units[unit as keyof typeof units]}`,
  )
  // Another server's text may be none.
  if (parts.length === 0) return iso
  return `${iso.startsWith('-') ? '−' : ''}${parts.join(' ')}`
}

function Duration({ iso }: { iso: string }) {
  return (
    <time dateTime={iso} title={iso}>
      {shortText(iso)}
    </time>
  )
}

export function DurationCell({ value }: CellValue) {
  return <Duration iso={plainText(value)} />
}

export function EditDuration(props: EditProps<string>) {
  return <EditLine {...props} takes="a duration, such as PT1H30M or 1:30:00" />
}

/** Shows a duration in units and as its exact text. */
export function ShowDuration(shown: ShownValue) {
  return (
    <ShowExact {...shown}>
      <Duration iso={plainText(shown.value)} />
    </ShowExact>
  )
}
