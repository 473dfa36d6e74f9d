import type { DatasetInfo, ShownField } from '@vitrine/contract'
import { useState } from 'react'
import { LeaveDialog } from '../../layout/LeaveDialog.tsx'
import { Section } from '../../ui/Section.tsx'
import classes from './AddFiles.module.css'
import { takeChosenFiles } from '../../files/file-with-path.ts'
import { DropZone } from '../../files/DropZone.tsx'
import { QueuedFileList } from './QueuedFileList.tsx'
import { QueueProgress } from './QueueProgress.tsx'
import { SourceForm } from './SourceForm.tsx'
import { useFileQueue } from './use-file-queue.ts'
import { usualSources } from '../../files/value-source.ts'

type Props = {
  info: DatasetInfo
  /** The field that takes the files. */
  field: ShownField
}

/** Adds an item for each of any number of files. */
export function AddFiles({ info, field }: Props) {
  const [sources, setSources] = useState(() => usualSources(info.schema))
  const [carried] = useState(() => takeChosenFiles(info.name)?.files)
  const { queue, start } = useFileQueue(info, carried)
  const running = queue.status.is === 'running'
  return (
    <div className={classes.screen}>
      <DropZone
        what="files"
        hint={`Each becomes an item, with the file as its ${field.name}${
          field.mime === undefined ? '' : ` (${field.mime})`
        }. Any number of them, folders too.`}
        accept={field.mime}
        multiple
        folders
        onFiles={(files) => queue.enqueue(files)}
      />
      {info.schema.length > 1 && (
        <Section title="The other fields">
          <SourceForm
            schema={info.schema}
            sources={sources}
            sample={queue.files[0]}
            disabled={running}
            onChange={setSources}
          />
        </Section>
      )}
      {queue.files.length > 0 && (
        <>
          <QueueProgress queue={queue} onStart={() => start(sources)} />
          <QueuedFileList repo={info.name} queue={queue} />
        </>
      )}
      <LeaveDialog uploading={() => queue.status.is === 'running'}>
        Leaving this page ends it. The items that were added stay; the files that are waiting are
        not added.
      </LeaveDialog>
    </div>
  )
}
