import { NativeSelect } from '@mantine/core'
import type { Exploration } from '@vitrine/contract'
import { useState } from 'react'
import { useApp } from '../app-context.tsx'
import { paths } from '../paths.ts'
import { CopyButton } from '../ui/CopyButton.tsx'
import classes from './ExportDialog.module.css'
import { snippetFor, tools, type Tool } from './snippets.ts'

/** Makes a scrolling element focusable, so that the keyboard can scroll it. */
const scrollable = { tabIndex: 0 }

const nothing: Exploration = {}

/** How to load a dataset, or what is asked of it, in a program, to be copied. */
export function Snippet({
  datasetId,
  exploration = nothing,
}: {
  datasetId: string
  exploration?: Exploration
}) {
  const { client, features } = useApp()
  const [tool, setTool] = useState<Tool>('pandas')
  const apiUrl = client.options.baseUrl.replace(/\/$/, '')
  const text = snippetFor(tool, {
    apiUrl,
    datasetId,
    exploration,
    tokensUrl: features.includes('tokens')
      ? new URL(paths.tokens(), window.location.href).href
      : undefined,
  })
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
