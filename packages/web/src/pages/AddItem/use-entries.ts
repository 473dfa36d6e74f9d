import { type SealedItem, type ShownField, canonicalText } from '@vitrine/contract'
import { useState } from 'react'
import { useUnsavedChanges } from '../../auth/use-unsaved-changes.ts'
import { useDraft } from '../../drafts/use-draft.ts'
import type { Entry } from '../../values/entry.ts'
import { isKnown } from '../../values/read-entry.ts'
import type { Entries } from './new-values.ts'

type Texts = Readonly<Record<string, string>>
const noTexts: Texts = {}

/**
 * Holds the entries for an item, which are those of the one that it corrects at first. Texts are kept as a draft; files
 * stay with this page.
 */
export function useEntries(
  repo: string,
  schema: readonly ShownField[],
  corrected: SealedItem | undefined,
) {
  const before = corrected === undefined ? noTexts : textsOf(schema, corrected)
  const screen = corrected === undefined ? `additem.${repo}` : `correct.${repo}.${corrected.id}`
  const draft = useDraft(screen, before, keptTexts)
  const [replaced, setReplaced] = useState<ReadonlySet<string>>(new Set())
  const [files, setFiles] = useState<Readonly<Record<string, File | undefined>>>({})
  const isFile = (name: string) =>
    schema.some((field) => field.name === name && field.type === 'binary')
  // A file is lost with the page, so leaving asks first.
  useUnsavedChanges(Object.values(files).some((file) => file !== undefined))

  const isKept = (name: string) =>
    isFile(name) && corrected?.data[name] !== undefined && !replaced.has(name)
  const entries: Entries = Object.fromEntries(
    schema.map(({ name }) => [name, isFile(name) ? files[name] : draft.value[name]]),
  )
  return {
    entries,
    restored: draft.restored,
    change: (name: string, entry: Entry) => {
      if (isFile(name)) {
        setFiles((others) => ({ ...others, [name]: entry instanceof File ? entry : undefined }))
        setReplaced((others) => new Set([...others, name]))
        return
      }
      const texts = { ...draft.value, [name]: typeof entry === 'string' ? entry : '' }
      const isSame = schema.every(
        (field) => (texts[field.name] ?? '') === (before[field.name] ?? ''),
      )
      draft.change(isSame ? undefined : texts)
    },
    /** Whether a file of the item that is corrected stays. */
    isKept,
    /** Fields whose values are other ones than those of the item that is corrected. */
    changed: schema.filter(({ name }) =>
      isFile(name)
        ? replaced.has(name) && (files[name] ?? corrected?.data[name]) !== undefined
        : (draft.value[name] ?? '') !== (before[name] ?? ''),
    ),
    discard: () => {
      draft.change(undefined)
      draft.settle()
    },
    /** To be called once everything was taken. */
    settle: () => {
      draft.settle()
      setFiles({})
      setReplaced(new Set())
    },
  }
}

function keptTexts(stored: unknown): Texts | undefined {
  if (typeof stored !== 'object' || stored === null) return undefined
  return Object.fromEntries(Object.entries(stored).filter(([, text]) => typeof text === 'string'))
}

/** The texts of an item, as its fields would be filled in. */
function textsOf(schema: readonly ShownField[], { data }: SealedItem): Texts {
  return Object.fromEntries(
    schema.flatMap((field) => {
      const value = data[field.name]
      if (value === undefined || field.type === 'binary' || !isKnown(field)) return []
      return [[field.name, canonicalText(field, value)]]
    }),
  )
}
