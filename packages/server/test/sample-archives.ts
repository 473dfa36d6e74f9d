import { buffer } from 'node:stream/consumers'
import yazl from 'yazl'

export type Entry = [name: string, content: string | Uint8Array, mode?: number]

/** `change` is what becomes of the bytes of the archive. */
export async function zip(entries: Entry[], change = (bytes: Buffer) => bytes): Promise<Blob> {
  const file = new yazl.ZipFile()
  for (const [name, content, mode = 0o100644] of entries) {
    file.addBuffer(Buffer.from(content), name, { mode })
  }
  file.end()
  return new Blob([new Uint8Array(change(await buffer(file.outputStream)))])
}

/** Damages the first bytes of an entry. */
export const damagedIn = (name: string) => (bytes: Buffer) => {
  const at = bytes.indexOf(name) + name.length
  return bytes.fill(0xff, at, at + 4)
}

export function tar(
  entries: [name: string, content: string | Uint8Array, type?: string][],
  change = (bytes: Buffer) => bytes,
): BodyInit {
  const blocks = entries.flatMap(([name, content, type = '0']) => {
    const bytes = Buffer.from(content)
    const header = Buffer.alloc(512)
    header.write(name, 0)
    header.write('0000644\0', 100)
    header.write(`${bytes.length.toString(8).padStart(11, '0')}\0`, 124)
    header.write('        ', 148)
    header.write(type, 156)
    header.write('ustar\x0000', 257)
    const sum = header.reduce((total, byte) => total + byte, 0)
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
    return [header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)]
  })
  const bytes = Buffer.concat([...blocks, Buffer.alloc(1024)])
  return new Blob([new Uint8Array(change(bytes))])
}
