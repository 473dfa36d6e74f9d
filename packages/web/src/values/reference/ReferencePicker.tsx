import '@mantine/core/styles/ScrollArea.css'
import '@mantine/core/styles/Popover.css'
import '@mantine/core/styles/Combobox.css'
import '@mantine/core/styles/Input.css'
import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { itemLabel, type DatasetInfo } from '@vitrine/contract'
import { useState } from 'react'
import { useApp } from '../../app-context.tsx'
import classes from './ReferencePicker.module.css'

const typingPauseMs = 250

type Props = {
  target: string
  /** What the item is found for. */
  label: string
  onPick: (itemId: string) => void
}

/** Finds an item of a dataset by words of its label. */
export function ReferencePicker({ target, label, onPick }: Props) {
  const { queries } = useApp()
  const [text, setText] = useState('')
  const [isOpen, setIsOpen] = useState(false)
  const [words] = useDebouncedValue(text.trim(), typingPauseMs)
  const { data: info } = useQuery(queries.datasetGet(target))
  const field = info && labelField(info)
  const where = field === undefined || words === '' ? undefined : { [field]: { search: words } }
  const found = useQuery({
    ...queries.datasetItemList(target, 0, where === undefined ? {} : { where }),
    enabled: isOpen && field !== undefined,
    placeholderData: keepPreviousData,
  })
  const isSettled = words === text.trim() && !found.isPending && !found.isPlaceholderData
  const options = (found.data?.value ?? []).map((item) => ({
    value: String(item.id),
    label: itemLabel(info!, item) ?? `item ${item.id}`,
  }))
  if (info !== undefined && field === undefined) return null
  return (
    <Select
      aria-label={`Find ${label} by name`}
      placeholder="Find by name"
      searchable
      data={options}
      // The server has filtered them.
      filter={({ options: all }) => all}
      value={null}
      searchValue={text}
      onSearchChange={setText}
      dropdownOpened={isOpen}
      // The same text again is no change of it.
      onInput={() => setIsOpen(true)}
      onDropdownOpen={() => setIsOpen(true)}
      onDropdownClose={() => setIsOpen(false)}
      onKeyDown={(event) => {
        // Closes the list, not the dialog in which it is.
        if (event.key === 'Escape' && isOpen) event.preventDefault()
      }}
      onChange={(itemId) => {
        if (itemId === null) return
        onPick(itemId)
        setText('')
      }}
      nothingFoundMessage={nothingFound(found.error, isSettled)}
      renderOption={({ option }) => (
        <span className={classes.option}>
          <bdi className={classes.label}>{option.label}</bdi>
          <span className={classes.id}>{option.value}</span>
        </span>
      )}
      comboboxProps={{ withinPortal: false }}
      maxDropdownHeight={240}
    />
  )
}

function nothingFound(error: Error | null, isSettled: boolean): string {
  if (error !== null) return `The items could not be looked up: ${error.message}`
  return isSettled ? 'No item has these words.' : 'Looking…'
}

/** The field by which items are found: the one that labels most of them. */
function labelField({ schema, repo }: DatasetInfo): string | undefined {
  const strings = schema.filter(({ type }) => type === 'string')
  return (strings.find(({ name }) => name === repo?.['label']) ?? strings[0])?.name
}
