import { IconFileUpload } from '@tabler/icons-react'
import { useId, type ChangeEvent } from 'react'
import { DropTarget } from '../ui/DropTarget.tsx'
import classes from './DropZone.module.css'
import { droppedFiles, inOrder, withPath, type FileWithPath } from './file-with-path.ts'

type Props = {
  /** Names the thing to choose, such as 'a file'. */
  what: string
  /** Describes the files that are accepted, in a line. */
  hint: string
  /** The endings or media types that the file dialog offers. */
  accept?: string | undefined
  multiple?: boolean
  /** Whether a folder may be chosen too. */
  folders?: boolean
  onFiles: (files: FileWithPath[]) => void
}

/** Area in which files are chosen, or dropped. */
export function DropZone({ what, hint, accept, multiple, folders = false, onFiles }: Props) {
  const id = useId()
  const take = (files: FileWithPath[]) => {
    if (files.length > 0) onFiles(inOrder(files))
  }
  const choose = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const files = Array.from(target.files ?? [], withPath)
    // So that the same file can be chosen again.
    target.value = ''
    take(files)
  }
  return (
    <DropTarget onDrop={(dropped) => void droppedFiles(dropped).then(take)}>
      <input
        id={id}
        className={classes.input}
        type="file"
        aria-describedby={`${id}-hint`}
        accept={accept}
        multiple={multiple}
        onChange={choose}
      />
      {folders && (
        <input
          id={`${id}-folder`}
          className={classes.input}
          type="file"
          // React knows the attribute by no other name.
          {...{ webkitdirectory: '' }}
          onChange={choose}
        />
      )}
      <div className={classes.invitation}>
        <IconFileUpload size={22} aria-hidden className={classes.icon} />
        <span className={classes.line}>
          <label htmlFor={id} className={classes.choice}>
            Choose {what}
          </label>
          {folders && (
            <>
              {' or '}
              <label htmlFor={`${id}-folder`} className={classes.choice}>
                a folder
              </label>
            </>
          )}
          , or drop {multiple === true || folders ? 'them' : 'it'} here
        </span>
        <span id={`${id}-hint`} className={classes.hint}>
          {hint}
        </span>
      </div>
    </DropTarget>
  )
}
