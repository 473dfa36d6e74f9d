import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'
import type { BlockMessage, BlockReply, BlockTask } from './block-task.ts'
import type { ImportedFile } from './imported-file.ts'
import { malformed } from './malformed.ts'

/**
 * Asks a thread that checks blocks, and reads the file for it as long as it asks for that.
 * @throws Failure IMPORT_MALFORMED where the thread has run out of memory; it has ended then
 */
export async function askThread(
  thread: Worker,
  file: ImportedFile,
  { message, transfer = [] }: { message: BlockTask | BlockReply; transfer?: ArrayBuffer[] },
): Promise<Exclude<BlockMessage, { kind: 'read' }>> {
  let answer = await ask(thread, message, transfer)
  while (answer.kind === 'read') {
    const bytes = new Uint8Array(await file.read(answer.start, answer.end)).buffer
    answer = await ask(thread, { kind: 'bytes', bytes }, [bytes])
  }
  if (answer.kind === 'failed') throw new Error(`a thread of an import failed: ${answer.message}`)
  return answer
}

async function ask(
  thread: Worker,
  message: BlockTask | BlockReply,
  transfer: ArrayBuffer[],
): Promise<BlockMessage> {
  thread.postMessage(message, transfer)
  // Rejects when the thread fails.
  const ended = new AbortController()
  const { signal } = ended
  try {
    const [reply] = await Promise.race([
      once(thread, 'message', { signal }),
      once(thread, 'exit', { signal }).then(() => {
        throw new Error('the thread that checks blocks has ended')
      }),
    ])
    return reply as BlockMessage
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_WORKER_OUT_OF_MEMORY') throw error
    throw malformed('takes too much memory to read: write it in smaller groups of rows')
  } finally {
    ended.abort()
  }
}
