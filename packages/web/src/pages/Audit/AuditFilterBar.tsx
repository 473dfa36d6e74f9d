import '@mantine/core/styles/Input.css'
import { NativeSelect, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { auditedActs } from '@vitrine/contract'
import { useState } from 'react'
import { actTexts } from './audit-columns.tsx'
import type { AuditSearch } from './audit-search.ts'
import classes from './AuditPage.module.css'

/** A pause in typing, in milliseconds. */
const pauseMs = 300

type Props = { search: AuditSearch; onAsk: (changed: Partial<AuditSearch>) => void }

/** By whom, what, on which dataset and when: which entries are shown. */
export function AuditFilterBar({ search, onAsk }: Props) {
  return (
    <search className={classes.filters}>
      <TypedFilter label="Who" value={search.who} onAsk={(who) => onAsk({ who })} />
      <NativeSelect
        label="What"
        value={search.what}
        data={[
          { value: '', label: 'anything' },
          ...auditedActs.map((value) => ({ value, label: actTexts[value] })),
        ]}
        onChange={({ currentTarget }) => onAsk({ what: currentTarget.value })}
      />
      <TypedFilter label="Dataset" value={search.dataset} onAsk={(dataset) => onAsk({ dataset })} />
      <DayFilter label="From" value={search.from} onAsk={(from) => onAsk({ from })} />
      <DayFilter label="To" value={search.to} onAsk={(to) => onAsk({ to })} />
    </search>
  )
}

type FilterProps = { label: string; value: string; onAsk: (value: string) => void }

function TypedFilter({ label, value, onAsk }: FilterProps) {
  const [text, setText] = useState(value)
  const [seen, setSeen] = useState(value)
  const [sent, setSent] = useState(value)
  const askSoon = useDebouncedCallback((next: string) => {
    setSent(next)
    onAsk(next)
  }, pauseMs)
  if (value !== seen) {
    setSeen(value)
    // By Back, or a link: not by what was typed here, to which more may have been added since.
    if (value !== sent) {
      setText(value)
      setSent(value)
    }
  }
  return (
    <TextInput
      type="search"
      label={label}
      dir="auto"
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value)
        askSoon(currentTarget.value.trim())
      }}
    />
  )
}

function DayFilter({ label, value, onAsk }: FilterProps) {
  return (
    <TextInput
      type="date"
      label={label}
      value={value}
      onChange={({ currentTarget }) => onAsk(currentTarget.value)}
    />
  )
}
