import '@mantine/core/styles/Input.css'
import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { callUrl } from '@vitrine/client'
import {
  type CreatedLink,
  type DatasetInfo,
  type ExportFormat,
  api,
  exportFormats,
  limits,
  stateName,
} from '@vitrine/contract'
import { useEffect, useRef, useState } from 'react'
import { useApp } from '../../app-context.tsx'
import { useUnsavedChanges } from '../../auth/use-unsaved-changes.ts'
import { linksChanged } from '../../data/changes.ts'
import { exportKinds, offeredFormats } from '../../export/export-kinds.ts'
import { ButtonRow } from '../../ui/ButtonRow.tsx'
import { CopyText } from '../../ui/CopyText.tsx'
import { ErrorBox } from '../../ui/ErrorBox.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { showItems } from '../../ui/show-amounts.ts'
import classes from './Access.module.css'

/** Creates a link to a dataset, and shows its address this once. */
export function LinkForm({ info }: { info: DatasetInfo }) {
  const [created, setCreated] = useState<CreatedLink>()
  return created === undefined ? (
    <NewLinkForm info={info} onCreated={setCreated} />
  ) : (
    <NewLink datasetId={info.name} created={created} onDone={() => setCreated(undefined)} />
  )
}

const lifetimes = [
  { value: '1', label: 'in an hour' },
  { value: '24', label: 'in a day' },
  { value: '168', label: 'in 7 days' },
  { value: '720', label: 'in 30 days' },
]

function NewLinkForm({
  info,
  onCreated,
}: {
  info: DatasetInfo
  onCreated: (created: CreatedLink) => void
}) {
  const { client, queries } = useApp()
  const queryClient = useQueryClient()
  const datasetId = info.name
  const now = useQuery({ ...queries.datasetState(datasetId), enabled: info.state === undefined })
  const at = (info.state ?? now.data)?.at
  const [name, setName] = useState('')
  const [hours, setHours] = useState('168')
  const [isPinned, setPinned] = useState(info.state !== undefined)
  const creating = useMutation({
    mutationFn: () =>
      client.linkCreate({
        datasetId,
        body: { name, hours: Number(hours), ...(isPinned && at !== undefined && { at }) },
      }),
    onSuccess: (created) => {
      onCreated(created)
      void linksChanged(queryClient)
    },
  })
  return (
    <form
      className={classes.parts}
      onSubmit={(event) => {
        event.preventDefault()
        creating.mutate()
      }}
    >
      <div className={classes.form}>
        <TextInput
          label="Name"
          placeholder="Whoever it is for"
          required
          maxLength={limits.tokenName}
          autoComplete="off"
          dir="auto"
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <NativeSelect
          label="Shows"
          data={[
            { value: 'now', label: 'what there is then' },
            ...(at === undefined ? [] : [{ value: 'state', label: `the first ${showItems(at)}` }]),
          ]}
          value={isPinned && at !== undefined ? 'state' : 'now'}
          onChange={({ currentTarget }) => setPinned(currentTarget.value === 'state')}
        />
        <NativeSelect
          label="Expires"
          data={lifetimes}
          value={hours}
          onChange={({ currentTarget }) => setHours(currentTarget.value)}
        />
      </div>
      {creating.error !== null && <ErrorBox error={creating.error} hint="Nothing was created." />}
      <ButtonRow>
        <Button type="submit" loading={creating.isPending}>
          Create link
        </Button>
      </ButtonRow>
    </form>
  )
}

function NewLink({
  datasetId,
  created,
  onDone,
}: {
  datasetId: string
  created: CreatedLink
  onDone: () => void
}) {
  const { client, features } = useApp()
  const heading = useRef<HTMLHeadingElement>(null)
  const [kind, setKind] = useState<Kind>('csv')
  useUnsavedChanges(true)
  // The form that had the focus is gone.
  useEffect(() => heading.current?.focus(), [])
  const { link, at, name } = created
  const formats = offeredFormats.filter((each) => {
    const { feature } = exportFormats[each]
    // A bundle holds all that a dataset refers to, which a link does not open.
    return each !== 'bundle' && (feature === undefined || features.includes(feature))
  })
  const kinds: { value: Kind; label: string }[] = [
    ...formats.map((each) => ({ value: each, label: exportKinds[each].label })),
    ...(at !== null && features.includes('snapshots')
      ? [{ value: 'snapshot' as const, label: 'Parquet, read in parts' }]
      : []),
  ]
  const apiUrl = new URL(client.options.baseUrl, window.location.href).href
  return (
    <Panel label="New link">
      <h3 ref={heading} tabIndex={-1} className={classes.heading}>
        Copy the address of <span dir="auto">{name}</span> now
      </h3>
      <p className={classes.note}>It is not shown again. Whoever has it may read.</p>
      <NativeSelect
        label="Address of"
        className={classes.kind}
        data={kinds}
        value={kind}
        onChange={({ currentTarget }) => setKind(currentTarget.value as Kind)}
      />
      <CopyText label="Address" text={addressOf(kind, { apiUrl, datasetId, at, link })} />
      <ButtonRow>
        <Button onClick={onDone}>Done</Button>
      </ButtonRow>
    </Panel>
  )
}

/** Formats of exports, and the file of a snapshot. */
type Kind = ExportFormat | 'snapshot'

function addressOf(
  kind: Kind,
  {
    apiUrl,
    datasetId,
    at,
    link,
  }: { apiUrl: string; datasetId: string; at: number | null; link: string },
): string {
  const server = { baseUrl: apiUrl }
  const state = at === null ? {} : { at }
  if (kind !== 'snapshot') {
    return callUrl(server, api.datasetExport, { datasetId, format: kind, ...state, link })
  }
  const named = stateName({ name: datasetId, ...state })
  return callUrl(server, api.datasetSnapshotFile, { datasetId: named, link })
}
