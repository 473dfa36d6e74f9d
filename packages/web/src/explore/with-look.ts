/** Parts of the address of items that say how they are shown, whichever they are. */
const lookNames = ['as', 'picture', 'heads', 'item', 'x', 'y', 'mark']

/** Adds to an address how items are shown at another one. */
export function withLook(to: URLSearchParams, from: URLSearchParams): URLSearchParams {
  for (const name of lookNames) {
    const value = from.get(name)
    if (value !== null) to.set(name, value)
  }
  return to
}
