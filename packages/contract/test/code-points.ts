import { isWholeRun } from './extent.ts'

/** Planes that Unicode assigns characters to, and the tags and selectors of plane 14; the others are empty, or private. */
const assigned = [
  [0, 0x3_ffff],
  [0xe_0000, 0xe_0fff],
]

/** Windows of neighbouring code points without surrogates: of all that there are, or of what is assigned. */
export function codePointWindows(): number[][] {
  const ranges = isWholeRun ? [[0, 0x10_ffff]] : assigned
  return ranges.flatMap(([first, last]) => windows(first!, last!))
}

function windows(first: number, last: number): number[][] {
  const size = 4096
  return Array.from({ length: (last + 1 - first) / size }, (_, window) =>
    Array.from({ length: size }, (_, index) => first + window * size + index).filter(
      (code) => code < 0xd800 || code > 0xdfff,
    ),
  ).filter((codes) => codes.length > 0)
}
