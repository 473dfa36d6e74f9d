import '@mantine/core/styles/Input.css'
import { TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { limits } from '@vitrine/contract'
import { useState } from 'react'

type Props = {
  label: string
  /** Placeholder that names the searched texts. */
  placeholder: string
  disabled?: boolean
  /** How long a pause in typing is, in milliseconds. */
  pauseMs: number
  /** Text of the current search. */
  value: string
  onSearch: (text: string) => void
}

/** Looks for what is typed, as one types. */
export function SearchBox({
  label,
  placeholder,
  disabled = false,
  pauseMs,
  value,
  onSearch,
}: Props) {
  const [text, setText] = useState(value)
  const [seen, setSeen] = useState(value)
  const [sent, setSent] = useState(value)
  const send = (next: string) => {
    setSent(next.trim())
    onSearch(next.trim())
  }
  const sendSoon = useDebouncedCallback(send, pauseMs)
  if (value !== seen) {
    setSeen(value)
    // By Back, or a link: not by what was typed here.
    if (value !== sent) {
      setText(value)
      setSent(value)
    }
  }
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={placeholder}
      disabled={disabled}
      dir="auto"
      maxLength={limits.searchLength}
      leftSection={<IconSearch size={16} aria-hidden />}
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value)
        sendSoon(currentTarget.value)
      }}
      onKeyDown={({ key }) => {
        if (key === 'Enter') send(text)
      }}
    />
  )
}
