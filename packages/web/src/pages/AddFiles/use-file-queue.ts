import type { DatasetInfo } from '@vitrine/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import { useApp } from '../../app-context.tsx'
import { useUnsavedChanges } from '../../auth/use-unsaved-changes.ts'
import { itemsChanged } from '../../data/changes.ts'
import { createCommittedFiles } from './committed-files.ts'
import { FileQueue } from './file-queue.ts'
import type { FileWithPath } from '../../files/file-with-path.ts'
import { createFileWork } from './file-work.ts'
import { usualSources, type ValueSources } from '../../files/value-source.ts'

/** How often the screen follows the queue, in milliseconds. */
const followMs = 100

/** A queue of files for a repository, as long as the page is there. */
export function useFileQueue(
  { name, createdAt, schema }: DatasetInfo,
  begin: readonly FileWithPath[] | undefined,
) {
  const { client, maxUploadBytes: maxBytes } = useApp()
  const queryClient = useQueryClient()
  const workWith = (sources: ValueSources) =>
    createFileWork(client, { repo: name, schema, sources, maxBytes })
  const [queue] = useState(
    () =>
      new FileQueue(
        workWith(usualSources(schema)),
        createCommittedFiles(localStorage, `${name} ${createdAt}`),
      ),
  )
  useSyncExternalStore(
    useCallback((notify: () => void) => follow(queue, notify), [queue]),
    () => queue.version,
  )
  useEffect(() => {
    if (begin !== undefined && queue.files.length === 0) {
      queue.enqueue(begin)
      queue.start()
    }
    return () => queue.pause()
  }, [queue, begin])
  useUnsavedChanges(queue.unsettled)

  const isIdle = queue.status.is !== 'running'
  useEffect(() => {
    if (isIdle && queue.counts.done > 0) void itemsChanged(queryClient)
  }, [isIdle, queue, queryClient])
  return { queue, start: (sources: ValueSources) => queue.start(workWith(sources)) }
}

function follow(queue: FileQueue, notify: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const stop = queue.subscribe(() => {
    timer ??= setTimeout(() => {
      timer = undefined
      notify()
    }, followMs)
  })
  return () => {
    stop()
    clearTimeout(timer)
  }
}
