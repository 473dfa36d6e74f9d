const MiB = 1024 * 1024

/** Parts of a file: small enough to be held, large enough that a slow reply to each costs little. */
export const partBytes = { first: MiB, most: 16 * MiB }

/** A part is to take this long, so that progress shows and an interruption costs little. */
const wantedMs = 1000

/** How large the next part is, after one that took so long; it at most doubles. */
export function nextPartBytes(bytes: number, tookMs: number): number {
  const wanted = (bytes / Math.max(tookMs, 1)) * wantedMs
  return Math.round(Math.max(Math.min(wanted, 2 * bytes, partBytes.most), partBytes.first))
}
