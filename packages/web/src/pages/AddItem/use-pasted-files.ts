import { useEffect, useEffectEvent } from 'react'
import { mimeMatches, type ShownField } from '@vitrine/contract'
import type { Entries } from './new-values.ts'

/**
 * Files that are pasted anywhere on the page go to the field that has the focus, or to the one that
 * takes them, an empty one first. A file that is dropped beside the fields is kept from taking the
 * page's place.
 */
export function usePastedFiles(
  schema: readonly ShownField[],
  entries: Entries,
  onFile: (field: string, file: File, others: number) => void,
): void {
  const paste = useEffectEvent((event: ClipboardEvent) => {
    const [file, ...others] = event.clipboardData?.files ?? []
    if (file === undefined) return
    const field = focusedField() ?? takerOf(file, schema, entries)
    if (field === undefined) return
    event.preventDefault()
    onFile(field, file, others.length)
  })
  useEffect(() => {
    const stray = (event: DragEvent) => event.preventDefault()
    const pasted = (event: ClipboardEvent) => paste(event)
    window.addEventListener('paste', pasted)
    window.addEventListener('dragover', stray)
    window.addEventListener('drop', stray)
    return () => {
      window.removeEventListener('paste', pasted)
      window.removeEventListener('dragover', stray)
      window.removeEventListener('drop', stray)
    }
  }, [])
}

function focusedField(): string | undefined {
  return document.activeElement?.closest<HTMLElement>('[data-drop-field]')?.dataset['dropField']
}

function takerOf(
  { type }: File,
  schema: readonly ShownField[],
  entries: Entries,
): string | undefined {
  const takers = schema.filter(
    (field) => field.type === 'binary' && (!field.mime || mimeMatches(field.mime, type)),
  )
  return (takers.find(({ name }) => entries[name] === undefined) ?? takers[0])?.name
}
