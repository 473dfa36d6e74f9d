/** Seconds as people say them. */
export function waitOf(seconds: number): string {
  if (seconds === 1) return '1 second'
  return seconds < 100 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`
}
