import { IconPlus } from '@tabler/icons-react'
import type { DatasetInfo } from '@vitrine/contract'
import { useApp } from '../app-context.tsx'
import { useCommands } from '../palette/screen-commands.ts'
import { paths } from '../paths.ts'
import { ButtonSkeleton } from '../ui/ButtonSkeleton.tsx'
import { ButtonLink } from '../ui/ButtonLink.tsx'

const plus = <IconPlus size={16} aria-hidden />

type Props = { datasetId: string; info: DatasetInfo | undefined }

/** Links for adding items, if a dataset turns out to be a repository. */
export function RepoActions({ datasetId, info }: Props) {
  const { features } = useApp()
  const canImport = features.includes('import')
  const addItem = { label: 'Add item', to: paths.addItem(datasetId) }
  const importRows = { label: 'Import', to: paths.importRows(datasetId) }
  useCommands(
    info?.repo === undefined || info.state !== undefined
      ? []
      : [addItem, ...(canImport ? [importRows] : [])],
  )
  if (info === undefined) {
    return (
      <>
        {canImport && <ButtonSkeleton label="Import" />}
        <ButtonSkeleton label="Add item" leftSection={plus} />
      </>
    )
  }
  // What was is not added to.
  if (info.repo === undefined || info.state !== undefined) return null
  return (
    <>
      {canImport && (
        <ButtonLink to={paths.importRows(datasetId)} variant="default">
          Import
        </ButtonLink>
      )}
      <ButtonLink to={paths.addItem(datasetId)} leftSection={plus}>
        Add item
      </ButtonLink>
    </>
  )
}
