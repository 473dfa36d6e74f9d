import { saveBlob } from '../ui/blob-url.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** Destination of a download, piece by piece. */
export type FileSink = {
  write: (bytes: Bytes) => Promise<void>
  close: () => Promise<void>
  /** Leaves nothing behind. */
  discard: () => Promise<void>
}

type SaveFilePicker = (options: { suggestedName: string }) => Promise<{
  createWritable: () => Promise<{
    write: (bytes: Bytes) => Promise<void>
    close: () => Promise<void>
    abort: () => Promise<void>
  }>
}>

/**
 * Opens a file that the user chooses (File System Access, WICG), so that a download of any size goes to
 * the disk as it comes. Where the browser has no such thing, it is gathered and then saved.
 *
 * To be called while a click is being handled. Undefined when the user chose no file.
 */
export async function openFileSink(suggestedName: string): Promise<FileSink | undefined> {
  const { showSaveFilePicker } = globalThis as { showSaveFilePicker?: SaveFilePicker }
  if (showSaveFilePicker === undefined) return gather(suggestedName)
  try {
    const handle = await showSaveFilePicker({ suggestedName })
    const file = await handle.createWritable()
    return {
      write: (bytes) => file.write(bytes),
      close: () => file.close(),
      discard: () => file.abort(),
    }
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return undefined
    throw error
  }
}

/** How much is gathered before it is handed to the browser, which keeps large blobs on the disk. */
const heldBytes = 8 * 1024 * 1024

function gather(fileName: string): FileSink {
  let blob = new Blob([])
  let parts: Bytes[] = []
  let held = 0
  const hand = () => {
    blob = new Blob([blob, ...parts])
    parts = []
    held = 0
  }
  return {
    write: async (bytes) => {
      parts.push(bytes)
      held += bytes.length
      if (held >= heldBytes) hand()
    },
    close: async () => {
      hand()
      saveBlob(blob, fileName)
    },
    discard: async () => {
      parts = []
      blob = new Blob([])
    },
  }
}
