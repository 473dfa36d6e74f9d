/** A file in an archive; its name is ASCII, of at most 100 characters. */
export type TarEntry = { name: string; content: Blob }

const blockBytes = 512

/** A tar archive (POSIX.1-2024, pax, "ustar Interchange Format"); files are read when it is. */
export function writeTar(entries: readonly TarEntry[]): Blob {
  const parts = entries.flatMap(({ name, content }) => [
    header(name, content.size),
    content,
    new Uint8Array((blockBytes - (content.size % blockBytes)) % blockBytes),
  ])
  return new Blob([...parts, new Uint8Array(2 * blockBytes)])
}

/** Without a time, so that the same files are the same archive. */
function header(name: string, size: number): Uint8Array<ArrayBuffer> {
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
