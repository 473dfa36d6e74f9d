/** State of an entry in the history that shows the same rows: a table's scroll stays where it is. */
export const scrollStays = { scrollStays: true }

export function isScrollStaying(state: unknown): boolean {
  return (state as Partial<typeof scrollStays> | null)?.scrollStays === true
}
