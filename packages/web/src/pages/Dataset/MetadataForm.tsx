import '@mantine/core/styles/Input.css'
import { Button, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import {
  metadataFields,
  type DatasetInfo,
  type MetadataKey,
  type SchemaField,
} from '@vitrine/contract'
import { useState } from 'react'
import { useApp } from '../../app-context.tsx'
import { useUnsavedChanges } from '../../auth/use-unsaved-changes.ts'
import { datasetsChanged } from '../../data/changes.ts'
import { ButtonRow } from '../../ui/ButtonRow.tsx'
import { ErrorBox } from '../../ui/ErrorBox.tsx'
import { Panel } from '../../ui/Panel.tsx'
import {
  changedKeys,
  MetadataConflict,
  type MetadataEdit,
  metadataTexts,
  MetadataUnfit,
  saveMetadata,
} from './edited-metadata.ts'
import classes from './MetadataForm.module.css'

/** Edits what a repository says of itself, beside what is shown of it. */
export function MetadataForm({ info, onClose }: { info: DatasetInfo; onClose: () => void }) {
  const { client, queries } = useApp()
  const queryClient = useQueryClient()
  const [before, setBefore] = useState(() => metadataTexts(info))
  const [after, setAfter] = useState(before)
  const isChanged = changedKeys(before, after).length > 0
  useUnsavedChanges(isChanged)
  const saving = useMutation({
    mutationFn: (edit: MetadataEdit) => saveMetadata(client, info.name, edit),
    onSuccess: (saved) => {
      queryClient.setQueryData(queries.datasetGet(info.name).queryKey, saved)
      void datasetsChanged(queryClient)
      onClose()
    },
  })
  const { error } = saving
  const problems = error instanceof MetadataUnfit ? error.problems : []
  const entry = (key: MetadataKey) => ({
    value: after[key],
    disabled: saving.isPending,
    error: problems.find(({ path }) => path[0] === key)?.reason,
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) => {
      if (error instanceof MetadataUnfit) saving.reset()
      setAfter((texts) => ({ ...texts, [key]: value }))
    },
  })
  const plain = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const
  const schema = info.schema as SchemaField[]
  return (
    <Panel label="Metadata">
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault()
          if (isChanged) saving.mutate({ before, after })
          else onClose()
        }}
      >
        <Textarea {...entry('description')} ref={focus} label="Description" rows={2} dir="auto" />
        <div className={classes.pair}>
          <TextInput
            {...entry('license')}
            {...plain}
            label="License"
            description="An SPDX identifier, such as CC-BY-4.0"
          />
          <TextInput
            {...entry('source')}
            {...plain}
            label="Source"
            description="The address that the data comes from"
            inputMode="url"
          />
          <NativeSelect
            {...entry('label')}
            label="Label"
            description="The field that stands for an item"
            data={options('the first text', schema.filter(metadataFields.label), after.label)}
          />
          <NativeSelect
            {...entry('cover')}
            label="Cover"
            description="The field with the picture of an item"
            data={options('the first picture', schema.filter(metadataFields.cover), after.cover)}
          />
        </div>
        <Textarea
          {...entry('readme')}
          label="Readme"
          description="Markdown, at most 64 KiB"
          rows={12}
          dir="auto"
          className={classes.readme}
        />
        <Failed
          error={error}
          onReplace={({ replaced }) => {
            const seen = { ...before, ...replaced }
            setBefore(seen)
            saving.mutate({ before: seen, after })
          }}
        />
        <ButtonRow>
          <Button type="submit" loading={saving.isPending}>
            Save
          </Button>
          <Button variant="default" disabled={saving.isPending} onClick={onClose}>
            Cancel
          </Button>
        </ButtonRow>
      </form>
    </Panel>
  )
}

/** The form is asked for by a button, and takes over from it. */
function focus(input: HTMLElement | null) {
  input?.focus()
}

type Option = { value: string; label: string }

function options(none: string, fields: readonly SchemaField[], chosen: string): Option[] {
  const names = fields.map(({ name }) => name)
  // Of a field that is not there, which another server may have.
  if (chosen !== '' && !names.includes(chosen)) names.push(chosen)
  return [{ value: '', label: none }, ...names.map((name) => ({ value: name, label: name }))]
}

type FailedProps = { error: Error | null; onReplace: (conflict: MetadataConflict) => void }

/** Why nothing was saved; of a conflict what is there now, to be replaced knowingly. */
function Failed({ error, onReplace }: FailedProps) {
  if (error === null) return null
  if (!(error instanceof MetadataConflict)) {
    return <ErrorBox error={{ message: error.message }} hint="Nothing was saved." />
  }
  return (
    <ErrorBox
      error={{
        message: error.message,
        problems: Object.entries(error.replaced).map(([key, text]) =>
          text === '' ? `${key} is empty now` : `${key} is now: ${text}`,
        ),
      }}
      hint="Nothing was saved. Cancel to keep what is there now."
      onRetry={() => onReplace(error)}
      retryLabel="Save mine"
    />
  )
}
