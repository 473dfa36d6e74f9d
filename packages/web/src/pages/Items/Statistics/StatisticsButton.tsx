import { Button } from '@mantine/core'
import { IconChartBar } from '@tabler/icons-react'
import type { DatasetInfo } from '@vitrine/contract'
import { useCommands } from '../../../palette/screen-commands.ts'
import { useItemsLook } from '../use-items-look.ts'
import classes from './StatisticsButton.module.css'
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
    <Button
      variant="default"
      size="compact-md"
      className={classes.button}
      leftSection={<IconChartBar size={16} aria-hidden />}
      aria-pressed={isShown}
      onClick={toggle}
    >
      Statistics
    </Button>
  )
}
