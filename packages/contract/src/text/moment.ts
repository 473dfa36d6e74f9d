const momentPattern = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?Z)?$/

/**
 * Milliseconds since 1970 of a moment in UTC, as the view language writes it: a date, which stands
 * for its first millisecond, or a date and time that end in Z (ISO 8601, RFC 3339 §5.6). Undefined
 * when it is neither, or not on the calendar.
 */
export function parseMoment(text: string): number | undefined {
  if (!momentPattern.test(text)) return undefined
  const milliseconds = Date.parse(text)
  if (Number.isNaN(milliseconds)) return undefined
  // Date.parse reads the 31st of a shorter month as a day of the next one.
  const minutes = new Date(milliseconds).toISOString().slice(0, text.includes('T') ? 16 : 10)
  return text.startsWith(minutes) ? milliseconds : undefined
}
