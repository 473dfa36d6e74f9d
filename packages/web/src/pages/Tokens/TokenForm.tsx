import '@mantine/core/styles/Input.css'
import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type CreatedToken, type TokenScope, limits } from '@vitrine/contract'
import { useState } from 'react'
import { useApp } from '../../app-context.tsx'
import { tokensChanged } from '../../data/changes.ts'
import { ButtonRow } from '../../ui/ButtonRow.tsx'
import { ErrorBox } from '../../ui/ErrorBox.tsx'
import { DatasetsInput } from './DatasetsInput.tsx'
import classes from './Tokens.module.css'

const scopes: { value: TokenScope; label: string }[] = [
  { value: 'read', label: 'read: look at and export data' },
  { value: 'add', label: 'add: read, and add items' },
  { value: 'deposit', label: 'deposit: add items, and read nothing' },
  { value: 'manage', label: 'manage: add, and create and delete datasets' },
]

/** Form for a new token: its purpose, its scope, its datasets, and when it expires. */
export function TokenForm({ onCreated }: { onCreated: (created: CreatedToken) => void }) {
  const { client } = useApp()
  const queryClient = useQueryClient()
  const [name, setName] = useState('')
  const [scope, setScope] = useState<TokenScope>('read')
  const [datasets, setDatasets] = useState<string[]>([])
  const [expiry, setExpiry] = useState<Expiry>('90')
  const [date, setDate] = useState('')
  const creating = useMutation({
    mutationFn: (expiresAt: string | null) =>
      client.tokenCreate({
        body: { name, scope, expiresAt, ...(datasets.length > 0 && { datasets }) },
      }),
    onSuccess: (created) => {
      onCreated(created)
      void tokensChanged(queryClient)
    },
  })
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        const expiresAt = expiryMoment(expiry, date, Date.now())
        if (expiresAt !== undefined) creating.mutate(expiresAt)
      }}
    >
      <div className={classes.fields}>
        <TextInput
          label="Name"
          description="The program that it is for"
          required
          maxLength={limits.tokenName}
          autoComplete="off"
          dir="auto"
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <NativeSelect
          label="Scope"
          description="What it may do"
          data={scopes}
          value={scope}
          onChange={({ currentTarget }) => setScope(currentTarget.value as TokenScope)}
        />
        <DatasetsInput value={datasets} onChange={setDatasets} />
        <NativeSelect
          label="Expires"
          description="From then on it is refused"
          data={expiries.map((each) => each)}
          value={expiry}
          onChange={({ currentTarget }) => setExpiry(currentTarget.value as Expiry)}
        />
        {expiry === 'date' && (
          <TextInput
            label="Date"
            description="Its last day, within a year"
            type="date"
            required
            value={date}
            onChange={({ currentTarget }) => setDate(currentTarget.value)}
          />
        )}
      </div>
      {creating.error !== null && <ErrorBox error={creating.error} hint="Nothing was created." />}
      <ButtonRow>
        <Button type="submit" loading={creating.isPending}>
          Create token
        </Button>
      </ButtonRow>
    </form>
  )
}

/** When a new token expires: after so many days, on a date that is chosen, or never. */
export const expiries = [
  { value: '7', label: 'in 7 days' },
  { value: '30', label: 'in 30 days' },
  { value: '90', label: 'in 90 days' },
  { value: '365', label: 'in a year' },
  { value: 'date', label: 'on a date' },
  { value: 'never', label: 'never' },
] as const

export type Expiry = (typeof expiries)[number]['value']

/**
 * The moment at which a token expires, as ISO 8601 in UTC; null where it never does.
 * @param date a day as `YYYY-MM-DD`, whose last second is meant; undefined where none was chosen
 */
function expiryMoment(expiry: Expiry, date: string, now: number): string | null | undefined {
  if (expiry === 'never') return null
  if (expiry !== 'date') return new Date(now + Number(expiry) * 86_400_000).toISOString()
  const end = new Date(`${date}T23:59:59`)
  return Number.isNaN(end.getTime()) ? undefined : end.toISOString()
}
