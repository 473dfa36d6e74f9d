import type { Problem } from './errors.ts'

/** A problem as a sentence that says of which key it speaks, where its place alone would not. */
export function problemText({ path, reason }: Problem): string {
  const key = path.at(-1)
  return typeof key === 'string' && /^(?:is|must|leaves) /.test(reason)
    ? `${key} ${reason}`
    : reason
}
