import '@mantine/core/styles/ScrollArea.css'
import '@mantine/core/styles/Popover.css'
import '@mantine/core/styles/Combobox.css'
import '@mantine/core/styles/CloseButton.css'
import '@mantine/core/styles/Pill.css'
import '@mantine/core/styles/PillsInput.css'
import { MultiSelect } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { foldSearch, limits } from '@vitrine/contract'
import { useState } from 'react'
import { useApp } from '../../app-context.tsx'

const typingPauseMs = 250

/** Names datasets that are found by typing; none are all. */
export function DatasetsInput({
  value,
  onChange,
}: {
  value: string[]
  onChange: (names: string[]) => void
}) {
  const { queries } = useApp()
  const [typed, setTyped] = useState('')
  const [isOpen, setOpen] = useState(false)
  const text = typed.trim().slice(0, limits.searchLength)
  const [q] = useDebouncedValue(text, typingPauseMs)
  const found = useQuery({
    ...queries.datasetSearch(q === '' ? {} : { q }, 0),
    enabled: isOpen,
    placeholderData: keepPreviousData,
  })
  const folded = foldSearch(text)
  // Those of the text before stay as far as they fit, as Enter takes the first.
  const names = (found.data ?? [])
    .map(({ name }) => name)
    .filter((name) => foldSearch(name).includes(folded))
  const isLooking = found.isFetching || q !== text
  return (
    <div>
      <MultiSelect
        label="Datasets"
        description="Those that it is for, by name"
        placeholder={value.length === 0 ? 'all that you may use' : undefined}
        searchable
        hidePickedOptions
        clearButtonProps={{ 'aria-label': 'Clear the datasets' }}
        clearable
        maxValues={limits.tokenDatasets}
        comboboxProps={{ withinPortal: false }}
        data={[...new Set([...value, ...names])]}
        // The server finds them, by what is typed.
        filter={({ options }) => options}
        nothingFoundMessage={nothingFound(text, { error: found.error, isLooking })}
        value={value}
        onDropdownOpen={() => setOpen(true)}
        searchValue={typed}
        onSearchChange={setTyped}
        onChange={onChange}
      />
    </div>
  )
}

function nothingFound(
  text: string,
  { error, isLooking }: { error: Error | null; isLooking: boolean },
): string {
  if (error !== null) return `Datasets could not be looked up: ${error.message}`
  if (isLooking) return 'Looking…'
  return text === '' ? 'There is no other dataset.' : 'No other dataset has this in its name.'
}
