/** A line of two texts laid over each other: in both, only in the first, or only in the second. */
type Line = { kind: 'same' | 'removed' | 'added'; text: string }

/** `number` counts the lines of the difference from 1. */
export type DiffLine = Line & { number: number }

/**
 * The difference of two texts by the longest common subsequence of their lines. Its cost is the
 * product of the lines that differ, which the size of a description bounds.
 */
export function lineDiff(before: string, after: string): DiffLine[] {
  const a = before.split('\n')
  const b = after.split('\n')
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1
  let end = 0
  while (
    end < a.length - start &&
    end < b.length - start &&
    a[a.length - 1 - end] === b[b.length - 1 - end]
  ) {
    end += 1
  }
  const lines = [
    ...same(a.slice(0, start)),
    ...middle(a.slice(start, a.length - end), b.slice(start, b.length - end)),
    ...same(a.slice(a.length - end)),
  ]
  return lines.map((line, index) => ({ ...line, number: index + 1 }))
}

function same(lines: readonly string[]): Line[] {
  return lines.map((text) => ({ kind: 'same', text }))
}

function middle(a: readonly string[], b: readonly string[]): Line[] {
  const common = commonLengths(a, b)
  const lines: Line[] = []
  let i = 0
  let j = 0
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push({ kind: 'same', text: a[i]! })
      i += 1
      j += 1
    } else if (j === b.length || (i < a.length && common[i + 1]![j]! >= common[i]![j + 1]!)) {
      lines.push({ kind: 'removed', text: a[i]! })
      i += 1
    } else {
      lines.push({ kind: 'added', text: b[j]! })
      j += 1
    }
  }
  return lines
}

/** At [i][j]: how long the longest common subsequence of `a` from i and `b` from j is. */
function commonLengths(a: readonly string[], b: readonly string[]): Uint16Array[] {
  const rows = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1))
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      rows[i]![j] =
        a[i] === b[j] ? rows[i + 1]![j + 1]! + 1 : Math.max(rows[i + 1]![j]!, rows[i]![j + 1]!)
    }
  }
  return rows
}
