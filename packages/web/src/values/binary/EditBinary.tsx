import { Button } from '@mantine/core'
import { IconFileUpload } from '@tabler/icons-react'
import { DropTarget } from '../../ui/DropTarget.tsx'
import classes from './EditBinary.module.css'
import type { EditProps } from '../edit-props.ts'
import { declarableType } from '../entry.ts'
import { describedInput, FieldFrame } from '../FieldFrame.tsx'
import { FileCard } from './FileCard.tsx'

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
