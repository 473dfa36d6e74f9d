import '@mantine/core/styles/Input.css'
import { Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { DatasetInfo } from '@vitrine/contract'
import { useState } from 'react'
import { useApp } from '../../app-context.tsx'
import { paths } from '../../paths.ts'
import { ButtonRow } from '../../ui/ButtonRow.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { LinkList } from '../../ui/LinkList.tsx'
import classes from './DeleteDialog.module.css'

type Props = { info: DatasetInfo; onClose: () => void; onDelete: () => void }

/** Says beforehand what a deletion takes away, and asks for the dataset's name. */
export function DeleteDialog({ info, onClose, onDelete }: Props) {
  const { features } = useApp()
  const [typed, setTyped] = useState('')
  const { name } = info
  // A dataset that refers to itself can still be deleted.
  const others = info.referencedBy.filter((other) => other !== name)
  if (others.length > 0 && features.includes('guarded-delete')) {
    return (
      <Dialog title={`${name} cannot be deleted`} onClose={onClose}>
        <p>Other datasets refer to it. Delete them first:</p>
        <LinkList links={others.map((other) => ({ label: other, to: paths.dataset(other) }))} />
        <ButtonRow end>
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
        </ButtonRow>
      </Dialog>
    )
  }
  return (
    <Dialog title={`Delete ${name}?`} onClose={onClose}>
      <References kind={info.view === undefined ? 'repository' : 'view'} others={others} />
      <Consequences info={info} />
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault()
          onDelete()
        }}
      >
        <TextInput
          label={`To confirm, type ${name}`}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        <ButtonRow end>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" color="var(--danger-strong)" disabled={typed !== name}>
            Delete dataset
          </Button>
        </ButtonRow>
      </form>
    </Dialog>
  )
}

/** Who refers to a dataset that its server may delete all the same. */
function References({ kind, others }: { kind: string; others: readonly string[] }) {
  if (others.length === 0) return <p>No other dataset refers to this {kind}.</p>
  return (
    <>
      <p>Other datasets refer to it, and their references will lead nowhere:</p>
      <LinkList links={others.map((other) => ({ label: other, to: paths.dataset(other) }))} />
    </>
  )
}

function Consequences({ info }: { info: DatasetInfo }) {
  const { queries } = useApp()
  const { data: count } = useQuery(queries.datasetCount(info.name))
  if (info.view !== undefined) {
    return <p>Its definition goes; the items that it shows stay in {info.view.base}.</p>
  }
  const items =
    count === undefined ? 'all its items' : `its ${count.value.totalItems.toLocaleString()} items`
  const others = info.referencesTo.filter((other) => other !== info.name)
  return (
    <p>
      Its description goes, and {items} with it; this cannot be undone.
      {others.length > 0 && ` What it refers to stays: ${others.join(', ')}.`}
    </p>
  )
}
