import { IconChartBar } from '@tabler/icons-react'
import type { DatasetInfo } from '@vitrine/contract'
import { useCommands } from '../../../palette/screen-commands.ts'
import { useItemsLook } from '../use-items-look.ts'
import { ToggleButton } from '../../../ui/ToggleButton.tsx'
import { useStatistics } from './use-statistics.ts'

/** Shows statistics below the heads of the columns, and hides them. */
export function StatisticsButton({ info }: { info: DatasetInfo | undefined }) {
  const { canShow, isShown, toggle } = useStatistics()
  const { look } = useItemsLook(info)
  const isThere = canShow && look === 'table'
  useCommands(
    isThere ? [{ label: isShown ? 'Hide statistics' : 'Show statistics', run: toggle }] : [],
  )
  if (!isThere) return null
  return (
    <ToggleButton label="Statistics" Icon={IconChartBar} isPressed={isShown} onToggle={toggle} />
  )
}
