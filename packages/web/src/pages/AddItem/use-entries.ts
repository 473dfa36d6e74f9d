import type { ShownField } from '@vitrine/contract'
import { useState } from 'react'
import { useUnsavedChanges } from '../../auth/use-unsaved-changes.ts'
import { useDraft } from '../../drafts/use-draft.ts'
import type { Entry } from '../../values/entry.ts'
import type { Entries } from './new-values.ts'

type Texts = Readonly<Record<string, string>>
const noTexts: Texts = {}

/** Holds the entries for an item. Texts are kept as a draft; files stay with this page. */
export function useEntries(repo: string, schema: readonly ShownField[]) {
  const draft = useDraft(`additem.${repo}`, noTexts, keptTexts)
  const [files, setFiles] = useState<Readonly<Record<string, File | undefined>>>({})
  const isFile = (name: string) =>
    schema.some((field) => field.name === name && field.type === 'binary')
  // A file is lost with the page, so leaving asks first.
  useUnsavedChanges(Object.values(files).some((file) => file !== undefined))

  const entries: Entries = Object.fromEntries(
    schema.map(({ name }) => [name, isFile(name) ? files[name] : draft.value[name]]),
  )
  return {
    entries,
    restored: draft.restored,
    change: (name: string, entry: Entry) => {
      if (isFile(name)) {
        setFiles((before) => ({ ...before, [name]: entry instanceof File ? entry : undefined }))
        return
      }
      const texts = { ...draft.value, [name]: typeof entry === 'string' ? entry : '' }
      draft.change(Object.values(texts).every((text) => text === '') ? undefined : texts)
    },
    discard: () => {
      draft.change(undefined)
      draft.settle()
    },
    /** To be called once everything was taken. */
    settle: () => {
      draft.settle()
      setFiles({})
    },
  }
}

function keptTexts(stored: unknown): Texts | undefined {
  if (typeof stored !== 'object' || stored === null) return undefined
  return Object.fromEntries(Object.entries(stored).filter(([, text]) => typeof text === 'string'))
}
