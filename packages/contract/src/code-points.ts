/** Code points, the unit of `length` everywhere in Vitrine. */
export function countCodePoints(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}
