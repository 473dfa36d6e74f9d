import { tarEnd, tarHeader, tarPadding } from '../tar-parts.ts'

/** A file in an archive; its name is ASCII, of at most 100 characters. */
export type TarEntry = { name: string; content: Blob }

/** A tar archive (POSIX.1-2024, pax, "ustar Interchange Format"); files are read when it is. */
export function writeTar(entries: readonly TarEntry[]): Blob {
  const parts = entries.flatMap(({ name, content }) => [
    tarHeader(name, content.size),
    content,
    tarPadding(content.size),
  ])
  return new Blob([...parts, tarEnd])
}
