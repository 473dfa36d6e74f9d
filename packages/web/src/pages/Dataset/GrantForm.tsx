import '@mantine/core/styles/Input.css'
import '@mantine/core/styles/ScrollArea.css'
import '@mantine/core/styles/Popover.css'
import '@mantine/core/styles/Combobox.css'
import { Button, NativeSelect, Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type Person, type Role, foldSearch, roles } from '@vitrine/contract'
import { useState } from 'react'
import { useApp } from '../../app-context.tsx'
import { grantsChanged } from '../../data/queries.ts'
import { ErrorBox } from '../../ui/ErrorBox.tsx'
import classes from './Access.module.css'

const typingPauseMs = 250

/** Gives a person who is found by typing a role on a dataset. */
export function GrantForm({ datasetId }: { datasetId: string }) {
  const { client, queries } = useApp()
  const queryClient = useQueryClient()
  const [typed, setTyped] = useState('')
  const [person, setPerson] = useState<Person>()
  const [role, setRole] = useState<Role>('reader')
  const [q] = useDebouncedValue(typed.trim(), typingPauseMs)
  // The name of whoever is chosen stands in the field and is no search.
  const isSearch = person === undefined || typed !== nameOf(person)
  const found = useQuery({
    ...queries.personList(datasetId, isSearch ? q : ''),
    placeholderData: keepPreviousData,
  })
  // Those of the search before stay until there are others, as far as they fit: Enter takes the first.
  const people = (found.data ?? []).filter((each) => !isSearch || fits(each, typed.trim()))
  const giving = useMutation({
    mutationFn: ({ subject }: Person) =>
      client.grantSet({ datasetId, body: { person: subject, role } }),
    onSuccess: () => {
      setPerson(undefined)
      setTyped('')
    },
    onSettled: () => grantsChanged(queryClient),
  })
  return (
    <>
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault()
          if (person !== undefined) giving.mutate(person)
        }}
      >
        <div>
          <Select
            label="Person"
            placeholder="Name"
            required
            searchable
            clearable
            comboboxProps={{ withinPortal: false }}
            data={optionsOf(person === undefined ? people : [person, ...others(people, person)])}
            // The server finds them, by what is typed.
            filter={({ options }) => options}
            nothingFoundMessage={nothingFound(found.error, found.isFetching || q !== typed.trim())}
            value={person?.subject ?? null}
            searchValue={typed}
            onSearchChange={setTyped}
            onChange={(subject) => setPerson(people.find((each) => each.subject === subject))}
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

const nameOf = ({ name, subject }: Person) => name ?? subject

const fits = (person: Person, q: string) =>
  person.subject === q || foldSearch(nameOf(person)).includes(foldSearch(q))

const others = (people: readonly Person[], { subject }: Person) =>
  people.filter((each) => each.subject !== subject)

/** Options by name; several of one name are told apart by their subjects. */
function optionsOf(people: readonly Person[]) {
  const names = people.map(nameOf)
  return people.map((person) => {
    const name = nameOf(person)
    const isShared = names.filter((each) => each === name).length > 1
    return { value: person.subject, label: isShared ? `${name} (${person.subject})` : name }
  })
}

function nothingFound(error: Error | null, isLooking: boolean): string {
  if (error !== null) return `People could not be looked up: ${error.message}`
  return isLooking ? 'Looking…' : 'Nobody of this name has signed in yet.'
}
