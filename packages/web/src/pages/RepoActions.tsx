import { IconPlus } from '@tabler/icons-react'
import type { DatasetInfo } from '@vitrine/contract'
import { useCommands } from '../palette/screen-commands.ts'
import { paths } from '../paths.ts'
import { useMay } from '../roles.ts'
import { ButtonLink } from '../ui/ButtonLink.tsx'

type Props = { datasetId: string; info: DatasetInfo | undefined }

/** The link for adding an item, if a dataset turns out to be a repository that one may add to, and not one of the past. */
export function RepoActions({ datasetId, info }: Props) {
  const may = useMay(datasetId)
  const isAddedTo = info?.repo !== undefined && info.state === undefined && may('contributor')
  const to = paths.addItem(datasetId)
  useCommands(isAddedTo ? [{ label: 'Add item', to }] : [])
  if (!isAddedTo) return null
  return (
    <ButtonLink to={to} leftSection={<IconPlus size={16} aria-hidden />}>
      Add item
    </ButtonLink>
  )
}
