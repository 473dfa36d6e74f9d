import { ActionIcon } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy } from '@tabler/icons-react'

/** Copies a text; absent where the browser has no clipboard, as on a page without TLS. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const { copied, copy } = useClipboard({ timeout: 1500 })
  if (!('clipboard' in navigator)) return null
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="sm"
      aria-label={copied ? 'Copied' : label}
      title={copied ? 'Copied' : label}
      onClick={() => copy(text)}
    >
      {copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
    </ActionIcon>
  )
}
