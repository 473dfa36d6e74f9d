import { IconHistoryOff } from '@tabler/icons-react'
import type { DatasetInfo } from '@vitrine/contract'
import { useApp } from '../../app-context.tsx'
import type { ExplorationState } from '../../explore/use-exploration.ts'
import { useCommands } from '../../palette/screen-commands.ts'
import { ToggleButton } from '../../ui/ToggleButton.tsx'

/** Leaves out what was replaced or withdrawn, and shows it again; there where it makes a difference. */
export function CurrentButton({
  info,
  explored: { exploration, setCurrent },
}: {
  info: DatasetInfo | undefined
  explored: ExplorationState
}) {
  const { features } = useApp()
  const isCurrent = exploration.current === true
  const isOffered = info?.hasReplacements === true && info.view?.['current'] !== true
  const isThere = features.includes('current') && (isOffered || isCurrent)
  const toggle = () => setCurrent(!isCurrent)
  const label = isCurrent ? 'Show replaced items as well' : 'Show current items only'
  useCommands(isThere ? [{ label, run: toggle }] : [])
  if (!isThere) return null
  return (
    <ToggleButton
      label="Current only"
      Icon={IconHistoryOff}
      isPressed={isCurrent}
      onToggle={toggle}
    />
  )
}
