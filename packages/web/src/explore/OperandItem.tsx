import { TextInput } from '@mantine/core'
import { readId, type ReferenceField } from '@vitrine/contract'
import { Suspense } from 'react'
import { useApp } from '../app-context.tsx'
import { ReferenceTarget } from '../values/reference/ReferenceTarget.tsx'
import { operandEntry } from './operand-text.ts'
import type { Choice } from './simple-filter.ts'
import { lazyPart } from '../ui/lazy-part.tsx'

const ReferencePicker = lazyPart(
  async () => (await import('../values/reference/ReferencePicker.tsx')).ReferencePicker,
)

type Props = {
  field: ReferenceField
  choice: Choice
  texts: readonly string[]
  onChange: (texts: string[]) => void
}

/** Finds the item by its name that a reference is compared with, and names the one whose id was typed. */
export function OperandItem({ field, choice, texts, onChange }: Props) {
  const { features } = useApp()
  const entry = choice.measure === undefined ? operandEntry(choice.operator) : undefined
  const [text = ''] = texts
  if (!features.includes('labels') || (entry !== 'one' && entry !== 'list')) return null
  const pick = (itemId: string) =>
    onChange([entry === 'one' || text.trim() === '' ? itemId : `${text}, ${itemId}`])
  return (
    <>
      {entry === 'one' && readId(text) !== undefined && (
        <ReferenceTarget target={field.target} itemId={text} />
      )}
      <Suspense fallback={<TextInput aria-hidden disabled placeholder="Find by name" />}>
        <ReferencePicker target={field.target} label={field.name} onPick={pick} />
      </Suspense>
    </>
  )
}
