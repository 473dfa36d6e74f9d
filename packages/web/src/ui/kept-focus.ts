/** State of an entry in the history whose page has the control that led to it: the focus stays there. */
export const focusStays = { focusStays: true }

export function isFocusStaying(state: unknown): boolean {
  return (state as Partial<typeof focusStays> | null)?.focusStays === true
}
