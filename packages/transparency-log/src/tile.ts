/** Hashes of a full tile, and entries of a full bundle (https://c2sp.org/tlog-tiles). */
export const tileWidth = 256

/** Levels of tiles that a tree may have, and that addresses are read for. */
const levelMax = 63

/** A tile of hashes of a level, or of `entries`; `width` is less than the whole at the right edge of a tree. */
export type Tile = { level: number | 'entries'; index: number; width: number }

/** The address of a tile, from the level on. */
export function tilePath({ level, index, width }: Tile): string {
  const groups = [threeDigits(index % 1000)]
  for (let rest = Math.floor(index / 1000); rest > 0; rest = Math.floor(rest / 1000)) {
    groups.unshift(`x${threeDigits(rest % 1000)}`)
  }
  const partial = width === tileWidth ? '' : `.p/${width}`
  return `${level}/${groups.join('/')}${partial}`
}

const threeDigits = (number: number) => String(number).padStart(3, '0')

const path = /^(\d{1,2}|entries)\/((?:x\d{3}\/)*\d{3})(?:\.p\/(\d{1,3}))?$/

/** Reads the address of a tile; undefined where it is none as `tilePath` writes it. */
export function readTilePath(text: string): Tile | undefined {
  const [, level = '', groups = '', width] = path.exec(text) ?? []
  const tile: Tile = {
    level: level === 'entries' ? level : Number(level),
    index: Number(groups.replaceAll(/[x/]/g, '')),
    width: width === undefined ? tileWidth : Number(width),
  }
  const isTile = tilePath(tile) === text && tile.width > 0 && tile.width <= tileWidth
  return isTile && (tile.level === 'entries' || tile.level <= levelMax) ? tile : undefined
}

/** Writes a bundle: entries, each after its length in 16 bits, the higher byte first. */
export function writeBundle(entries: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bundle = new Uint8Array(entries.reduce((sum, { length }) => sum + 2 + length, 0))
  const view = new DataView(bundle.buffer)
  let at = 0
  for (const entry of entries) {
    view.setUint16(at, entry.length)
    bundle.set(entry, at + 2)
    at += 2 + entry.length
  }
  return bundle
}

/** Reads the entries of a bundle; undefined where it is none. */
export function readBundle(bundle: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer>[] | undefined {
  const view = new DataView(bundle.buffer, bundle.byteOffset, bundle.byteLength)
  const entries: Uint8Array<ArrayBuffer>[] = []
  for (let at = 0; at < bundle.length;) {
    if (at + 2 > bundle.length) return undefined
    const end = at + 2 + view.getUint16(at)
    if (end > bundle.length) return undefined
    entries.push(bundle.subarray(at + 2, end))
    at = end
  }
  return entries
}
