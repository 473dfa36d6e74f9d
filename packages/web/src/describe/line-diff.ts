import { diffArrays } from 'diff'

/** A line of two texts laid over each other: in both, only in the first, or only in the second. */
export type DiffLine = { kind: 'same' | 'removed' | 'added'; text: string; number: number }

/** Returns the lines of two texts, numbered from 1; removed ones come before those added in their place. */
export function lineDiff(before: string, after: string): DiffLine[] {
  return diffArrays(before.split('\n'), after.split('\n'))
    .flatMap(({ added, removed, value }) => {
      const changed = added ? 'added' : 'removed'
      return value.map((text) => ({ kind: added || removed ? changed : 'same', text }) as const)
    })
    .map((line, index) => ({ ...line, number: index + 1 }))
}
