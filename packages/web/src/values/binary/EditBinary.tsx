import { Button } from '@mantine/core'
import { IconFile, IconFileUpload } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { DropTarget } from '../../ui/DropTarget.tsx'
import classes from './EditBinary.module.css'
import { type EditProps, declarableType } from '../entry.ts'
import { describedInput, FieldFrame } from '../FieldFrame.tsx'
import { showBytes } from '../../ui/show-amounts.ts'
import { showBlob } from '../../ui/blob-url.ts'

/** A file input restricted to the schema's media type; a file may be dropped on it too. */
export function EditBinary(props: EditProps<File> & { leftOut: number }) {
  const { field, id, entry, leftOut, error, onChange } = props
  const declarable = entry && declarableType(field, entry)
  return (
    <FieldFrame
      field={field}
      id={id}
      takes={field.mime === undefined ? 'a file' : `a file of type ${field.mime}`}
      error={error}
    >
      <DropTarget
        field={field.name}
        invalid={error !== undefined}
        onDrop={({ files: [file, ...others] }) => {
          if (file !== undefined) onChange(file, others.length)
        }}
      >
        <input
          {...describedInput(id, field, error)}
          // The drop hint is a label too, and would become part of the accessible name.
          aria-labelledby={`${id}-name`}
          className={classes.input}
          type="file"
          accept={field.mime}
          onChange={({ target }) => {
            const [file] = target.files ?? []
            if (file !== undefined) onChange(file)
            // Lets the same file be chosen again after it was removed or changed.
            target.value = ''
          }}
        />
        {entry === undefined ? (
          <label htmlFor={id} className={classes.invitation}>
            <IconFileUpload size={22} aria-hidden />
            <span>
              <b>Choose a file</b>, drop it here or paste it
            </span>
          </label>
        ) : (
          <FileCard file={entry} inputId={id} onRemove={() => onChange(undefined)} />
        )}
      </DropTarget>
      <output className={classes.leftOut}>
        {leftOut > 0 &&
          `The field holds one file: ${leftOut === 1 ? 'another was' : `${leftOut} others were`} left out.`}
      </output>
      {entry !== undefined && declarable !== undefined && (
        <div>
          <Button
            variant="default"
            size="compact-sm"
            onClick={() => onChange(new File([entry], entry.name, { type: declarable }))}
          >
            Send it as {declarable}
          </Button>
        </div>
      )}
    </FieldFrame>
  )
}

/** Shows a chosen file: a thumbnail if it is an image, its name, size and type. */
function FileCard({
  file,
  inputId,
  onRemove,
}: {
  file: File
  inputId: string
  onRemove: () => void
}) {
  return (
    <div className={classes.card}>
      <Preview key={`${file.name} ${file.lastModified} ${file.size}`} file={file} />
      <div className={classes.about}>
        <span className={classes.name}>{file.name}</span>
        <span className={classes.size}>
          {showBytes(file.size)}, {file.type === '' ? 'unknown type' : file.type}
        </span>
      </div>
      <div className={classes.actions}>
        <label htmlFor={inputId} className={classes.other}>
          Other file
        </label>
        <Button variant="default" size="compact-sm" onClick={onRemove}>
          Remove
        </Button>
      </div>
    </div>
  )
}

/** The image, or a file icon if the browser cannot decode it. */
function Preview({ file }: { file: File }) {
  const [shown, setShown] = useState(file.type.startsWith('image/'))
  const image = useRef<HTMLImageElement>(null)
  useEffect(() => {
    return image.current === null ? undefined : showBlob(image.current, file)
  }, [file])
  return shown ? (
    <img ref={image} alt="" className={classes.preview} onError={() => setShown(false)} />
  ) : (
    <IconFile size={28} aria-hidden className={classes.preview} />
  )
}
