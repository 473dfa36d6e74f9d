import { Button } from '@mantine/core'
import { IconFile } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { showBytes } from '../../ui/show-amounts.ts'
import { showBlob } from '../../ui/show-blob.ts'
import classes from './EditBinary.module.css'

/** Shows a chosen file: a thumbnail if it is an image, its name, size and type. */
export function FileCard({
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
