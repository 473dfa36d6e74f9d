/** In UTC, so that the day is the same in every time zone. */
const local = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' })

/** Shows a day in the reader's language; the tooltip is the ISO 8601 text. */
export function Day({ iso }: { iso: string }) {
  const day = new Date(iso)
  return (
    <time dateTime={iso} title={iso}>
      {Number.isNaN(day.getTime()) ? iso : local.format(day)}
    </time>
  )
}
