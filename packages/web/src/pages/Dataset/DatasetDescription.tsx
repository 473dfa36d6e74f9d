import { Button } from '@mantine/core'
import type { DatasetInfo } from '@vitrine/contract'
import { Suspense, useRef, useState } from 'react'
import { useApp } from '../../app-context.tsx'
import { useMay } from '../../roles.ts'
import { useCommands } from '../../palette/screen-commands.ts'
import classes from './DatasetDetail.module.css'
import { lazyPart } from '../../ui/lazy-part.tsx'

const MetadataForm = lazyPart(async () => (await import('./MetadataForm.tsx')).MetadataForm)

/** Description of a dataset in a sentence; the metadata of a repository can be edited here. */
export function DatasetDescription({ info }: { info: DatasetInfo }) {
  const { features } = useApp()
  const [isEdited, setEdited] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  // What was is not changed.
  const isCurator = useMay(info.name)('curator')
  const canEdit =
    info.repo !== undefined && info.state === undefined && features.includes('extend') && isCurator
  useCommands(canEdit ? [{ label: 'Edit metadata', run: () => setEdited(true) }] : [])
  const close = () => {
    setEdited(false)
    // The form had the focus, and leaves.
    button.current?.focus()
  }
  if (!canEdit) {
    return info.description && <p className={classes.description}>{info.description}</p>
  }
  return (
    <>
      <div className={classes.about}>
        <p className={classes.description}>{info.description ?? 'No description yet.'}</p>
        <Button
          ref={button}
          variant="default"
          size="compact-md"
          aria-expanded={isEdited}
          onClick={() => setEdited(true)}
        >
          Edit metadata
        </Button>
      </div>
      {isEdited && (
        <Suspense>
          <MetadataForm info={info} onClose={close} />
        </Suspense>
      )}
    </>
  )
}
