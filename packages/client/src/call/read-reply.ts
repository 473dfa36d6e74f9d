import { type Call, type ScanProgress, progressHeader, readProgress } from '@vitrine/contract'
import { ApiError } from './api-error.ts'

/**
 * Reads a reply of success as the table of calls declares it.
 * @throws ApiError when it is something else
 */
export async function readReply(
  call: Call,
  response: Response,
  onPartial?: (progress: ScanProgress) => void,
): Promise<unknown> {
  const progress = readProgress(response.headers.get(progressHeader))
  if (progress !== undefined) onPartial?.(progress)
  if (call.reply === 'bytes') return response.blob()
  const text = await response.text()
  if (call.reply === undefined) return undefined
  try {
    return call.reply.parse(JSON.parse(text))
  } catch (cause) {
    const { status } = response
    throw new ApiError('The server sent a reply that could not be understood', { status, cause })
  }
}
