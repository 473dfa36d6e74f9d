import { Button } from '@mantine/core'
import type { CreatedToken } from '@vitrine/contract'
import { useEffect, useRef } from 'react'
import { useApp } from '../../app-context.tsx'
import { useUnsavedChanges } from '../../auth/use-unsaved-changes.ts'
import { ButtonRow } from '../../ui/ButtonRow.tsx'
import { CopyText } from '../../ui/CopyText.tsx'
import { Panel } from '../../ui/Panel.tsx'
import classes from './Tokens.module.css'

/** A token that was just created, this once, and how programs send it. */
export function NewToken({ created, onDone }: { created: CreatedToken; onDone: () => void }) {
  const { client } = useApp()
  const heading = useRef<HTMLHeadingElement>(null)
  useUnsavedChanges(true)
  // The form that had the focus is gone.
  useEffect(() => heading.current?.focus(), [])
  const { token, name } = created
  return (
    <Panel label="New token">
      <h2 ref={heading} tabIndex={-1} className={classes.heading}>
        Copy the token of <span dir="auto">{name}</span> now
      </h2>
      <p>It is not shown again. Whoever has it can do what it may do, as you.</p>
      <CopyText label="Token" text={token} />
      <p>Programs send it as Bearer, or as the password of Basic with any name:</p>
      <CopyText label="Example" text={example(client.options.baseUrl.replace(/\/$/, ''))} />
      <ButtonRow>
        <Button onClick={onDone}>Done</Button>
      </ButtonRow>
    </Panel>
  )
}

function example(apiUrl: string): string {
  return `# In a shell, with the token in VITRINE_TOKEN:
curl -u "me:$VITRINE_TOKEN" ${apiUrl}/api/dataset

# In Python, a dataset named NAME:
import os
import pandas as pd

items = pd.read_csv(
    "${apiUrl}/api/dataset/NAME/export?format=csv",
    storage_options={"Authorization": "Bearer " + os.environ["VITRINE_TOKEN"]},
)`
}
