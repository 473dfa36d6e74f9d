import { Button } from '@mantine/core'
import { useId, useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { useApp } from '../../app-context.tsx'
import { BinaryContent } from './BinaryContent.tsx'
import { DownloadButton } from './DownloadButton.tsx'
import classes from './ShowBinary.module.css'
import type { ShownValue } from '../value.ts'

export function ShowBinary({ datasetId, itemId, field, seal }: ShownValue) {
  const { queries } = useApp()
  const queryClient = useQueryClient()
  const [shown, setShown] = useState(false)
  const id = useId()
  const query = queries.datasetFieldGet(datasetId, itemId, field.name)
  const mime = seal?.mime ?? field.mime ?? ''
  const content = () => queryClient.fetchQuery(query)
  return (
    <>
      <div className={classes.line}>
        <Button
          variant="default"
          size="compact-md"
          aria-expanded={shown}
          aria-controls={id}
          onClick={() => setShown(!shown)}
        >
          {shown ? 'hide' : 'show'}
        </Button>
        <DownloadButton content={content} fileName={`${datasetId}-${itemId}-${field.name}`} />
        <span className={classes.facts}>
          <span>mime type {mime}</span>
          {seal !== undefined && <span>{seal.size.toLocaleString()} bytes</span>}
        </span>
      </div>
      <div id={id} hidden={!shown}>
        {shown && (
          <BinaryContent
            place={{ datasetId, itemId, fieldName: field.name }}
            mime={mime}
            size={seal?.size}
          />
        )}
      </div>
    </>
  )
}
