import { useMutation } from '@tanstack/react-query'
import {
  type AddItemOptions,
  type ItemCorrection,
  type NewValue,
  addItem,
  correctItem,
} from '@vitrine/client'
import { useEffect, useRef, useState } from 'react'
import { useApp } from '../../app-context.tsx'
import { itemsChanged } from '../../data/changes.ts'
import { advance, atStart } from './insert-progress.ts'
import { sha256 } from '../../data/sha256.ts'

type Options = {
  onAdded: (itemId: number) => void
  onFailed: (error: Error) => void
}

/** Values of a new item, or changes of the one that it corrects. */
type Sent =
  | { values: Record<string, NewValue>; corrects?: undefined }
  | { values: ItemCorrection['values']; corrects: { itemId: number; reason: string } }

/** Adds an item to a repository, step by step; every attempt is a new insert. */
export function useAddItem(repo: string, { onAdded, onFailed }: Options) {
  const { client, queryClient } = useApp()
  const [progress, setProgress] = useState(atStart)
  const cancellation = useRef(new AbortController())
  useEffect(() => () => cancellation.current.abort(), [])

  const adding = useMutation({
    mutationFn: ({ values, corrects }: Sent) => {
      const controller = new AbortController()
      cancellation.current = controller
      setProgress(atStart)
      const options: AddItemOptions = {
        sha256,
        signal: controller.signal,
        onProgress: (event) => {
          const at = performance.now()
          setProgress((before) => advance(before, event, at))
        },
      }
      return corrects === undefined
        ? addItem(client, repo, values, options)
        : correctItem(client, repo, corrects.itemId, { values, reason: corrects.reason }, options)
    },
    onSuccess: (itemId) => {
      void itemsChanged(queryClient)
      onAdded(itemId)
    },
    onError: onFailed,
  })
  return { ...adding, progress, cancel: () => cancellation.current.abort() }
}
