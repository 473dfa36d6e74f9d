import '@mantine/core/styles/ScrollArea.css'
import '@mantine/core/styles/Popover.css'
import '@mantine/core/styles/Combobox.css'
import { Combobox, useCombobox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type Item, itemLabel, labelField, readId } from '@vitrine/contract'
import { type ComponentProps, useEffect, useEffectEvent, useState } from 'react'
import { useApp } from '../../app-context.tsx'
import inputClasses from '../EditString.module.css'
import classes from './ItemCombobox.module.css'

const typingPauseMs = 250

type Props = Omit<ComponentProps<'input'>, 'value' | 'onChange'> & {
  /** The dataset of the item. */
  target: string
  /** The id of an item, or words that lead to none. */
  entry: string
  /** Takes each id that is typed, '' while words are, and those words once the input is left. */
  onChange: (entry: string) => void
  /** Takes the id of the option that is chosen; otherwise `onChange` does. */
  onPick?: (id: string) => void
}

/** Text input for an item, by words of its label or by its id; shows the label of the item it holds. */
export function ItemCombobox({ target, entry, onChange, onPick = onChange, ...input }: Props) {
  const { queries } = useApp()
  /** Text that is being typed; undefined when there is none. */
  const [text, setText] = useState<string>()
  /** Enter was pressed before the options for the words were there. */
  const [isEnterHeld, setIsEnterHeld] = useState(false)
  const combobox = useCombobox({
    onDropdownOpen: () => combobox.updateSelectedOptionIndex(),
    onDropdownClose: () => combobox.resetSelectedOption(),
  })
  const typed = text?.trim() ?? ''
  // Digits are the id itself, and need no choice.
  const isWords = typed !== '' && readId(typed) === undefined
  const [words] = useDebouncedValue(typed, typingPauseMs)
  const isOpen = combobox.dropdownOpened
  const { options, isSettled, error } = useItemOptions(target, words, isOpen)
  const isCurrent = isSettled && words === typed
  const id = readId(entry)
  const { data: label } = useQuery({
    ...queries.datasetLabel(target, id ?? 0),
    enabled: id !== undefined,
  })

  const pick = (itemId: string) => {
    setText(undefined)
    setIsEnterHeld(false)
    combobox.closeDropdown()
    onPick(itemId)
  }
  const takeOptions = useEffectEvent(() => {
    setIsEnterHeld(false)
    const [first] = options
    if (!isWords || first === undefined) return
    if (isEnterHeld) pick(first.id)
    else combobox.selectFirstOption()
  })
  useEffect(() => {
    // The reply is the event: no handler of the page is called when the options are there.
    // oxlint-disable-next-line react/set-state-in-effect
    if (isOpen && isCurrent) takeOptions()
  }, [isOpen, isCurrent])

  return (
    <Combobox store={combobox} withinPortal={false} floatingStrategy="fixed" onOptionSubmit={pick}>
      <Combobox.Target withExpandedAttribute>
        <input
          {...input}
          className={inputClasses.input}
          type="text"
          placeholder="Name or id"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          dir="auto"
          value={text ?? (label || entry)}
          onFocus={({ currentTarget }) => currentTarget.select()}
          onClick={() => combobox.openDropdown()}
          // The same text again is no change of it.
          onInput={() => combobox.openDropdown()}
          onChange={({ currentTarget: { value } }) => {
            setText(value)
            combobox.resetSelectedOption()
            onChange(readId(value.trim()) === undefined ? '' : value.trim())
          }}
          onKeyDown={(event) => {
            // Closes the list, not the dialog in which it is.
            if (event.key === 'Escape' && isOpen) event.preventDefault()
            if (event.key !== 'Enter' || !isWords) return
            // The form would be sent without the item.
            event.preventDefault()
            combobox.openDropdown()
            setIsEnterHeld(!isOpen || !isCurrent)
          }}
          onBlur={() => {
            combobox.closeDropdown()
            setIsEnterHeld(false)
            if (text === undefined) return
            setText(undefined)
            if (!isWords) return
            const matches = isCurrent ? options.filter((option) => option.label === typed) : []
            if (matches.length === 1) onPick(matches[0]!.id)
            else onChange(typed)
          }}
        />
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Options mah={240} className={classes.options}>
          {options.map((option) => (
            <Combobox.Option key={option.id} value={option.id} className={classes.option}>
              <bdi className={classes.label}>{option.label}</bdi>
              <span className={classes.id}>{option.id}</span>
            </Combobox.Option>
          ))}
          {options.length === 0 && (
            <Combobox.Empty>{nothingFound(error, isCurrent)}</Combobox.Empty>
          )}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}

function nothingFound(error: Error | null, isSettled: boolean): string {
  if (error !== null) return `The items could not be looked up: ${error.message}`
  return isSettled ? 'No item has these words.' : 'Looking…'
}

type ItemOption = { id: string; label: string }

/**
 * Items of a dataset for a list to choose from: the one with the id that was typed, then those with words in their
 * label, a page of them at most.
 */
export function useItemOptions(target: string, words: string, enabled: boolean) {
  const { queries } = useApp()
  const { data: info } = useQuery({ ...queries.datasetGet(target), enabled })
  const field = info && labelField(info)
  const id = readId(words)
  const where = field === undefined || words === '' ? undefined : { [field]: { search: words } }
  const listed = useQuery({
    ...queries.datasetItemList(target, 0, {
      ...(where && { where }),
      // What was replaced is found by its id alone.
      ...(info?.hasReplacements === true && { current: true }),
    }),
    // Without a label, words find nothing.
    enabled: enabled && info !== undefined && (field !== undefined || words === ''),
    placeholderData: keepPreviousData,
  })
  const single = useQuery({
    ...queries.datasetItemGet(target, words),
    enabled: enabled && id !== undefined,
  })
  const option = (item: Item): ItemOption => ({
    id: String(item.id),
    label: (info && itemLabel(info, item)) ?? `item ${item.id}`,
  })
  const first = id === undefined || single.data === undefined ? [] : [single.data]
  const others = listed.data?.value.filter((item) => item.id !== first[0]?.id) ?? []
  return {
    options: info === undefined ? [] : [...first, ...others].map(option),
    isSettled: info !== undefined && !listed.isFetching && !single.isFetching,
    error: listed.error,
  }
}
