import { Button } from '@mantine/core'
import { IconFileUpload } from '@tabler/icons-react'
import { useState } from 'react'
import classes from './EditBinary.module.css'
import type { EditProps } from './edit-props.ts'
import { declarableType } from './entry.ts'
import { describedInput, FieldFrame } from './FieldFrame.tsx'
import { FileCard } from './FileCard.tsx'

/** A file input restricted to the schema's media type; a file may be dropped on it too. */
export function EditBinary({ field, id, entry, error, onChange }: EditProps<File>) {
  const [isOver, setOver] = useState(false)
  const declarable = entry && declarableType(field, entry)
  return (
    <FieldFrame
      field={field}
      id={id}
      takes={field.mime === undefined ? 'a file' : `a file of type ${field.mime}`}
      error={error}
    >
      <div
        className={classes.zone}
        data-over={isOver || undefined}
        data-invalid={error !== undefined || undefined}
        data-drop-field={field.name}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setOver(false)
          const [file] = event.dataTransfer.files
          if (file !== undefined) onChange(file)
        }}
      >
        <input
          {...describedInput(id, field, error)}
          // The invitation is a label too, and would be read as part of the name.
          aria-labelledby={`${id}-name`}
          className={classes.input}
          type="file"
          accept={field.mime}
          onChange={({ target }) => {
            const [file] = target.files ?? []
            if (file !== undefined) onChange(file)
            // So that the same file can be chosen again after it was removed or has changed.
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
      </div>
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
