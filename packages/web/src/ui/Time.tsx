const local = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** A moment in the reader's time zone and language; the ISO 8601 text is its title. */
export function Timestamp({ iso }: { iso: string }) {
  const moment = new Date(iso)
  return (
    <time dateTime={iso} title={iso}>
      {Number.isNaN(moment.getTime()) ? iso : local.format(moment)}
    </time>
  )
}

const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** Each unit up to where the next one says it better. */
const units: [Intl.RelativeTimeFormatUnit, length: number, until: number][] = [
  ['second', second, minute],
  ['minute', minute, hour],
  ['hour', hour, day],
  ['day', day, 30 * day],
  ['month', 30.44 * day, 365 * day],
  ['year', 365.25 * day, Infinity],
]

/** How long ago a moment is, in the reader's language; the ISO 8601 text is its title. */
export function RelativeTime({ iso }: { iso: string }) {
  return (
    <time dateTime={iso} title={iso}>
      {relativeText(iso)}
    </time>
  )
}

function relativeText(iso: string): string {
  const moment = new Date(iso).getTime()
  if (Number.isNaN(moment)) return iso
  // The clock of a server may be ahead.
  const past = Math.min(0, moment - Date.now())
  const [unit, length] = units.find(([, , until]) => -past < until)!
  return relative.format(Math.ceil(past / length), unit)
}
