import { Input } from '@mantine/core'
import { readId, type ReferenceField } from '@vitrine/contract'
import { Suspense, useId, useState } from 'react'
import { ReferenceTarget } from '../values/reference/ReferenceTarget.tsx'
import { useLabelTexts } from '../values/reference/LabelledId.tsx'
import { Chip } from '../ui/Chip.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'
import classes from './OperandItem.module.css'

const ItemCombobox = lazyPart(
  async () => (await import('../values/reference/ItemCombobox.tsx')).ItemCombobox,
)

type Props = {
  field: ReferenceField
  /** Whether several items are taken, as a list of ids with commas between. */
  isList: boolean
  texts: readonly string[]
  /** The problem with the input. */
  problem: string | undefined
  onChange: (texts: string[]) => void
}

/** Takes the item, or the items, that a reference is compared with. */
export function OperandItem({ field: { target }, isList, texts, problem, onChange }: Props) {
  const inputId = useId()
  const [text = ''] = texts
  const [ids, setIds] = useState(() => (isList ? listedIds(text) : []))
  const [entry, setEntry] = useState(isList ? '' : text)
  const labels = useLabelTexts(target, ids)
  const change = (nextIds: readonly number[], nextEntry: string) => {
    setIds([...new Set(nextIds)])
    setEntry(nextEntry)
    onChange([[...nextIds, nextEntry].filter((each) => each !== '').join(', ')])
  }
  return (
    <Input.Wrapper label={isList ? 'Values' : 'Value'} id={inputId} error={problem}>
      {ids.length > 0 && (
        <div className={classes.chips}>
          {ids.map((id, index) => {
            const label = labels[index] ?? String(id)
            return (
              <Chip
                key={id}
                title={`${label} (${id})`}
                removeLabel={`Remove ${label}`}
                onRemove={() => change(ids.toSpliced(index, 1), entry)}
              >
                {label}
              </Chip>
            )
          })}
        </div>
      )}
      <Suspense fallback={<Input id={inputId} disabled />}>
        <ItemCombobox
          id={inputId}
          data-operand
          aria-invalid={problem !== undefined}
          target={target}
          entry={entry}
          onChange={(next) => {
            const listed = isList && next.includes(',') ? listedIds(next) : []
            if (listed.length > 0) change([...ids, ...listed], '')
            else change(ids, next)
          }}
          onPick={(id) => (isList ? change([...ids, Number(id)], '') : change([], id))}
        />
      </Suspense>
      <div className={classes.target}>
        {readId(entry) !== undefined && <ReferenceTarget target={target} itemId={entry} isNamed />}
      </div>
    </Input.Wrapper>
  )
}

function listedIds(text: string): number[] {
  return text.split(',').flatMap((each) => readId(each.trim()) ?? [])
}
