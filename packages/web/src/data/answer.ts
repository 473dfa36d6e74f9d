import type { CallOptions } from '@vitrine/client'
import type { ScanProgress } from '@vitrine/contract'

/** Reply of a dataset; with `progress` it is partial, because the scan takes longer. */
export type Answer<T> = { value: T; progress: ScanProgress | undefined }

/** How long to wait before a view that is being built is asked again. */
export const againMs = 1000

/** Makes a call, and keeps how far the reply had looked. */
export async function answerOf<T>(
  signal: AbortSignal,
  call: (options: CallOptions) => Promise<T>,
): Promise<Answer<T>> {
  let progress: ScanProgress | undefined
  const onPartial = (scanProgress: ScanProgress) => {
    progress = scanProgress
  }
  const value = await call({ signal, onPartial })
  return { value, progress }
}

/** For `refetchInterval`: asks again until an answer is the whole one. */
export function untilWhole({
  state: { data },
}: {
  state: { data: Answer<unknown> | undefined }
}): number | false {
  return data?.progress === undefined ? false : againMs
}
