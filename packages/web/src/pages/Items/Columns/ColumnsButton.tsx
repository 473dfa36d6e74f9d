import { Button } from '@mantine/core'
import { IconColumns3 } from '@tabler/icons-react'
import type { DatasetInfo } from '@vitrine/contract'
import { Suspense, useState } from 'react'
import { useCommands } from '../../../palette/screen-commands.ts'
import { useItemsLook } from '../use-items-look.ts'
import type { Columns } from './use-columns.ts'
import { lazyPart } from '../../../ui/lazy-part.tsx'

const ColumnsDialog = lazyPart(async () => (await import('./ColumnsDialog.tsx')).ColumnsDialog)

type Props = { info: DatasetInfo | undefined; columns: Columns }

/** Opens the choice of columns, and says how many of them there are when some are hidden. */
export function ColumnsButton({ info, columns }: Props) {
  const [isOpen, setOpen] = useState(false)
  const { look } = useItemsLook(info)
  const isThere = look === 'table'
  const schema = info?.schema ?? []
  const shown = columns.fieldsOf(schema).length
  useCommands(isThere ? [{ label: 'Choose columns', run: () => setOpen(true) }] : [])
  if (!isThere) return null
  return (
    <>
      <Button
        variant="default"
        size="compact-md"
        leftSection={<IconColumns3 size={16} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        Columns{shown < schema.length && ` (${shown} of ${schema.length})`}
      </Button>
      {isOpen && (
        <Suspense>
          <ColumnsDialog schema={schema} columns={columns} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
