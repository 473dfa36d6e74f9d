import '@mantine/core/styles/Input.css'
import '@mantine/core/styles/ScrollArea.css'
import '@mantine/core/styles/Popover.css'
import '@mantine/core/styles/Combobox.css'
import '@mantine/core/styles/CloseButton.css'
import { Button, NativeSelect, Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type NewGrant, type Person, type Role, foldSearch, roles } from '@vitrine/contract'
import { useState } from 'react'
import { useApp } from '../../app-context.tsx'
import { grantsChanged } from '../../data/changes.ts'
import { ErrorBox } from '../../ui/ErrorBox.tsx'
import classes from './Access.module.css'

const typingPauseMs = 250

/** Gives a role on a dataset to a person or a group that is found by typing. */
export function GrantForm({ datasetId }: { datasetId: string }) {
  const { client } = useApp()
  const queryClient = useQueryClient()
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState<Choice>()
  const [role, setRole] = useState<Role>('reader')
  const [isOpen, setOpen] = useState(false)
  // The name of what is chosen stands in the field and is no search.
  const text = typed === chosen?.label ? '' : typed
  const { choices, error, isLooking } = useChoices(datasetId, text, isOpen)
  const giving = useMutation({
    mutationFn: ({ to }: Choice) => client.grantSet({ datasetId, body: { ...to, role } }),
    onSuccess: () => {
      setChosen(undefined)
      setTyped('')
    },
    onSettled: () => grantsChanged(queryClient),
  })
  const isListed = chosen === undefined || choices.some(({ value }) => value === chosen.value)
  return (
    <>
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault()
          if (chosen !== undefined) giving.mutate(chosen)
        }}
      >
        <div>
          <Select
            label="Person or group"
            placeholder="Name"
            required
            searchable
            clearable
            comboboxProps={{ withinPortal: false }}
            data={isListed ? choices : [chosen, ...choices]}
            // The server finds them, by what is typed.
            filter={({ options }) => options}
            nothingFoundMessage={nothingFound(error, isLooking)}
            value={chosen?.value ?? null}
            onDropdownOpen={() => setOpen(true)}
            searchValue={typed}
            onSearchChange={setTyped}
            onChange={(value) => setChosen(choices.find((each) => each.value === value))}
          />
        </div>
        <NativeSelect
          label="Role"
          data={[...roles]}
          value={role}
          onChange={({ currentTarget }) => setRole(currentTarget.value as Role)}
        />
        <Button type="submit" loading={giving.isPending}>
          Give role
        </Button>
      </form>
      {giving.error !== null && <ErrorBox error={giving.error} hint="Nothing was changed." />}
    </>
  )
}

/** A person or a group to choose. */
type Choice = { value: string; label: string; to: Omit<NewGrant, 'role'> }

/** People and groups with a text in their names; those of the text before stay as far as they fit, as Enter takes the first. */
function useChoices(datasetId: string, typed: string, enabled: boolean) {
  const { queries } = useApp()
  const text = typed.trim()
  const [q] = useDebouncedValue(text, typingPauseMs)
  const people = useQuery({
    ...queries.personList(datasetId, q),
    enabled,
    placeholderData: keepPreviousData,
  })
  const groups = useQuery({
    ...queries.groupList(datasetId, q),
    enabled,
    placeholderData: keepPreviousData,
  })
  const choices = [...personChoices(people.data ?? []), ...(groups.data ?? []).map(groupChoice)]
  const folded = foldSearch(text)
  return {
    choices: choices.filter(
      ({ label, to }) => to.person === text || foldSearch(label).includes(folded),
    ),
    error: people.error ?? groups.error,
    isLooking: people.isFetching || groups.isFetching || q !== text,
  }
}

/** People by name; several of one name are told apart by their subjects. */
function personChoices(people: readonly Person[]): Choice[] {
  const names = people.map(({ name, subject }) => name ?? subject)
  return people.map(({ subject }, index) => {
    const name = names[index]!
    const isShared = names.filter((each) => each === name).length > 1
    const label = isShared ? `${name} (${subject})` : name
    return { value: `person ${subject}`, label, to: { person: subject } }
  })
}

const groupChoice = (group: string): Choice => ({
  value: `group ${group}`,
  label: `group ${group}`,
  to: { group },
})

function nothingFound(error: Error | null, isLooking: boolean): string {
  if (error !== null) return `People and groups could not be looked up: ${error.message}`
  return isLooking ? 'Looking…' : 'Nobody of this name has signed in yet.'
}
