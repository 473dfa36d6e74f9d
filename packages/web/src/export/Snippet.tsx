import { NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { useApp } from '../app-context.tsx'
import { CopyButton } from '../ui/CopyButton.tsx'
import classes from './ExportDialog.module.css'
import { snippetFor, tools, type Tool } from './snippets.ts'

/** Makes a scrolling element focusable, so that the keyboard can scroll it. */
const scrollable = { tabIndex: 0 }

/** How to load a dataset in a program, to be copied. */
export function Snippet({ datasetId }: { datasetId: string }) {
  const { client } = useApp()
  const [tool, setTool] = useState<Tool>('pandas')
  const text = snippetFor(tool, { apiUrl: client.options.baseUrl.replace(/\/$/, ''), datasetId })
  return (
    <div className={classes.snippet}>
      <div className={classes.head}>
        <NativeSelect
          label="Program for"
          data={tools}
          value={tool}
          onChange={({ currentTarget }) => setTool(currentTarget.value as Tool)}
        />
        <CopyButton text={text} label="Copy the program" />
      </div>
      <section className={classes.code} aria-label="Program" {...scrollable}>
        <pre>{text}</pre>
      </section>
    </div>
  )
}
