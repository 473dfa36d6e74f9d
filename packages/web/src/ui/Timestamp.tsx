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
