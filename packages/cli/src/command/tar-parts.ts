// Parts of a tar archive (POSIX.1-2024, pax, "ustar Interchange Format"). Names are ASCII, of at most 100 characters.

const blockBytes = 512

/** Padding after a file in a tar archive. */
export function tarPadding(size: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array((blockBytes - (size % blockBytes)) % blockBytes)
}

/** End of a tar archive. */
export const tarEnd = new Uint8Array(2 * blockBytes)

/** Header of a file in a tar archive; without a time, so that the same files are the same archive. */
export function tarHeader(name: string, size: number): Uint8Array<ArrayBuffer> {
  const block = Buffer.alloc(blockBytes)
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`
  block.write(name, 0)
  block.write(octal(0o644, 7), 100)
  block.write(octal(0, 7), 108)
  block.write(octal(0, 7), 116)
  block.write(octal(size, 11), 124)
  block.write(octal(0, 11), 136)
  block.write(' '.repeat(8), 148)
  block.write('0', 156)
  block.write('ustar\x0000', 257)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${octal(sum, 6)} `, 148)
  return block
}
