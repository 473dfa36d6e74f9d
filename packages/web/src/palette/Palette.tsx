// What an input marks while it keeps the focus has roles, and no elements (ARIA, combobox pattern).
/* oxlint-disable jsx-a11y/prefer-tag-over-role */
import { IconSearch } from '@tabler/icons-react'
import {
  useDeferredValue,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
  type KeyboardEvent,
} from 'react'
import { useNavigate } from 'react-router'
import { Dialog } from '../ui/Dialog.tsx'
import classes from './Palette.module.css'
import { usePaletteGroups, type Entry } from './use-palette-groups.ts'

export type PaletteProps = {
  recent: readonly string[]
  /** The dataset of the screen, if it is of one. */
  here: string | undefined
  onShortcuts: () => void
  onClose: () => void
}

/** Steps from the first entry, which hold for entries to come; where these are known, the one they have led to. */
type Mark = { steps: number; id?: string | undefined }

/** Finds datasets, fields, items, places and commands as one types; Enter goes to the one that is marked. */
export function Palette({ recent, here, onShortcuts, onClose }: PaletteProps) {
  const navigate = useNavigate()
  const listId = useId()
  const [text, setText] = useState('')
  const [mark, setMark] = useState<Mark>({ steps: 0 })
  /** Says that Enter was pressed before it was known what there is. */
  const isEnterPending = useRef(false)
  const { groups, isSettled, error } = usePaletteGroups({ text, recent, here, onShortcuts })
  // What has settled may bring commands of the screen too, which it announces once it is rendered.
  const isReady = useDeferredValue(isSettled) && isSettled
  const entries = groups.flatMap((group) => group.entries)
  const place = entries.findIndex(({ id }) => id === mark.id)
  const current = place === -1 ? entries.at(mark.steps % entries.length) : entries[place]

  const choose = (entry: Entry) => {
    // First, so that focus is back where it was before anything else takes it.
    onClose()
    if ('to' in entry) void navigate(entry.to)
    else entry.run()
  }
  const choosePending = useEffectEvent(() => {
    if (isEnterPending.current && current !== undefined) choose(current)
    isEnterPending.current = false
  })
  useEffect(() => {
    if (isReady) choosePending()
  }, [isReady])

  const idOf = (entry: Entry) => `${listId}-${entry.id}`
  const currentId = current && idOf(current)
  useEffect(() => {
    if (currentId === undefined) return
    document.getElementById(currentId)?.scrollIntoView({ block: 'nearest' })
  }, [currentId])

  const move = (by: number) => {
    // Enter was meant for what was marked before.
    if (isEnterPending.current) return
    const steps = (place === -1 ? mark.steps : place) + by
    setMark({ steps, id: isSettled ? entries.at(steps % entries.length)?.id : undefined })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // A key that ends the composing of a character is meant for that alone.
    if (event.nativeEvent.isComposing) return
    if (event.key === 'ArrowDown') move(1)
    else if (event.key === 'ArrowUp') move(-1)
    else if (event.key === 'Enter' && !isReady) isEnterPending.current = true
    else if (event.key === 'Enter' && current !== undefined) choose(current)
    else return
    event.preventDefault()
  }

  return (
    <Dialog title="Search and commands" isTitleHidden onClose={onClose}>
      <div className={classes.head}>
        <IconSearch size={18} aria-hidden />
        <input
          className={classes.input}
          role="combobox"
          aria-label="Search and commands"
          aria-expanded={entries.length > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={currentId}
          placeholder="A dataset, a field, a command; or cities ulm"
          value={text}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          dir="auto"
          onChange={({ currentTarget }) => {
            setText(currentTarget.value)
            setMark({ steps: 0 })
            isEnterPending.current = false
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div className={classes.list} id={listId} role="listbox" aria-label="Found">
        {groups.map(({ label, entries: own }) => (
          <div key={label} role="group" aria-label={label}>
            <div className={classes.label} aria-hidden>
              {label}
            </div>
            {own.map((entry) => (
              <div
                key={entry.id}
                id={idOf(entry)}
                role="option"
                aria-selected={entry === current}
                tabIndex={-1}
                className={classes.entry}
                onPointerMove={() => setMark({ steps: entries.indexOf(entry), id: entry.id })}
                onClick={() => choose(entry)}
                onKeyDown={onKeyDown}
              >
                <span className={classes.name}>{entry.label}</span>
                {entry.about !== undefined && <span className={classes.about}>{entry.about}</span>}
              </div>
            ))}
          </div>
        ))}
      </div>
      <output className={classes.state}>
        {stateText({ isSettled, count: entries.length, error, text })}
      </output>
    </Dialog>
  )
}

type State = { isSettled: boolean; count: number; error: Error | null; text: string }

function stateText({ isSettled, count, error, text }: State): string {
  if (error !== null) return `Datasets could not be searched: ${error.message}`
  if (!isSettled) return 'Searching…'
  if (count === 0) return `Nothing found for “${text.trim()}”`
  return count === 1 ? '1 result' : `${count} results`
}
