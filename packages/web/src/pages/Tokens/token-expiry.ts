/** When a new token expires: after so many days, on a date that is chosen, or never. */
export const expiries = [
  { value: '7', label: 'in 7 days' },
  { value: '30', label: 'in 30 days' },
  { value: '90', label: 'in 90 days' },
  { value: '365', label: 'in a year' },
  { value: 'date', label: 'on a date' },
  { value: 'never', label: 'never' },
] as const

export type Expiry = (typeof expiries)[number]['value']

/**
 * The moment at which a token expires, as ISO 8601 in UTC; null where it never does.
 * @param date a day as `YYYY-MM-DD`, whose last second is meant; undefined where none was chosen
 */
export function expiryMoment(expiry: Expiry, date: string, now: number): string | null | undefined {
  if (expiry === 'never') return null
  if (expiry !== 'date') return new Date(now + Number(expiry) * 86_400_000).toISOString()
  const end = new Date(`${date}T23:59:59`)
  return Number.isNaN(end.getTime()) ? undefined : end.toISOString()
}
