import type { Blobs } from './blobs.ts'

const dayMs = 24 * 60 * 60_000

/** Returns the UTC day of a moment in milliseconds since 1970, such as `2026-11-22`. */
export function dayOf(moment: number): string {
  return new Date(moment).toISOString().slice(0, 10)
}

/** Returns the first day of which the trash is still kept, for so many days. */
export function firstKeptDay(keptDays: number, moment: number): string {
  return dayOf(moment - keptDays * dayMs)
}

/** Removes for good what was put into the trash before a day; returns those days. */
export async function emptyTrash({ trash }: Blobs, before: string): Promise<string[]> {
  const days = (await trash.days()).filter((day) => day < before)
  for (const day of days) await trash.removeDay(day)
  return days
}
