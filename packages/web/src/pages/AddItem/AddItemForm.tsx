import '@mantine/core/styles/Input.css'
import { Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { ApiError, type AddItemStep } from '@vitrine/client'
import { type SealedItem, type ShownField, limits } from '@vitrine/contract'
import { useEffect, useId, useRef, useState, type ReactNode } from 'react'
import { Link, useNavigate } from 'react-router'
import { useApp } from '../../app-context.tsx'
import { DraftNotice } from '../../drafts/DraftNotice.tsx'
import { EditField } from '../../values/fields.tsx'
import { checkEntry, isEmpty, type Entry } from '../../values/entry.ts'
import { missingReferences } from '../../values/reference/missing-references.ts'
import { webTypeOf } from '../../values/web-types.ts'
import { paths } from '../../paths.ts'
import { ErrorBox } from '../../ui/ErrorBox.tsx'
import classes from './AddItemForm.module.css'
import { InsertPanel } from './InsertPanel.tsx'
import { KeptFile } from './KeptFile.tsx'
import { LeaveDialog } from '../../layout/LeaveDialog.tsx'
import { changedValues, newValues, problemsByField } from './new-values.ts'
import { useAddItem } from './use-add-item.ts'
import { useEntries } from './use-entries.ts'
import { usePastedFiles } from './use-pasted-files.ts'

type Props = {
  repo: string
  schema: readonly ShownField[]
  /** Item that the new one corrects. */
  corrected?: SealedItem
}

/** One input a field, and the three steps that add what was entered. */
export function AddItemForm({ repo, schema, corrected }: Props) {
  const formId = useId()
  const navigate = useNavigate()
  const app = useApp()
  const { features, maxUploadBytes } = app
  const { entries, restored, change, discard, settle, isKept, changed } = useEntries(
    repo,
    schema,
    corrected,
  )
  const [reason, setReason] = useState('')
  const [attempted, setAttempted] = useState(false)
  const [refused, setRefused] = useState<Readonly<Record<string, string>>>({})
  const [unfinished, setUnfinished] = useState<ReadonlySet<string>>(new Set())
  const [leftOut, setLeftOut] = useState<Readonly<Record<string, number>>>({})
  const uploading = useRef(false)
  const adding = useAddItem(repo, {
    onAdded: (itemId) => {
      settle()
      uploading.current = false
      void navigate(paths.item(repo, itemId))
    },
    onFailed: (error) => {
      uploading.current = false
      const problems = error instanceof ApiError ? (error.body?.details?.problems ?? []) : []
      setRefused(problemsByField(schema, problems))
    },
  })

  const reasonInput = useRef<HTMLInputElement>(null)
  const submitButton = useRef<HTMLButtonElement>(null)
  const refusedInput = schema.find(({ name }) => name in refused)?.name
  useEffect(() => {
    // The Cancel button that had the focus is gone.
    if (!adding.isError) return
    const input = refusedInput && document.getElementById(`${formId}-${refusedInput}`)
    ;(input || submitButton.current)?.focus()
    // Only a new failure moves the focus, not what is typed after it.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [adding.isError, adding.error])

  const enter = (name: string, entry: Entry, others = 0) => {
    change(name, entry)
    setLeftOut((before) => ({ ...before, [name]: others }))
    setRefused((before) => without(before, name))
    markUnfinished(name, false)
  }
  const markUnfinished = (name: string, isUnfinished: boolean) => {
    if (unfinished.has(name) === isUnfinished) return
    setUnfinished((before) => {
      const others = [...before].filter((each) => each !== name)
      return new Set(isUnfinished ? [...others, name] : others)
    })
  }
  usePastedFiles(schema, entries, enter)

  const inputId = (name: string) => `${formId}-${name}`
  const check = (field: ShownField) =>
    webTypeOf(field.type, features) === undefined || isKept(field.name)
      ? undefined
      : unfinished.has(field.name)
        ? 'Complete the date, or clear it'
        : checkEntry(field, entries[field.name], maxUploadBytes)
  const errorOf = (field: ShownField) => {
    const entry = entries[field.name]
    return attempted || !isEmpty(entry) || unfinished.has(field.name)
      ? (check(field) ?? refused[field.name])
      : refused[field.name]
  }
  const focusFirst = (names: readonly string[]) => {
    const first = schema.find(({ name }) => names.includes(name))
    if (first !== undefined) document.getElementById(inputId(first.name))?.focus()
  }
  const lookUp = useMutation({
    mutationFn: (fields: readonly ShownField[]) => missingReferences(app, fields, entries),
  })
  const submit = () => {
    setAttempted(true)
    const wrong = schema.filter((field) => check(field) !== undefined)
    if (wrong.length > 0) return focusFirst(wrong.map(({ name }) => name))
    if (corrected !== undefined && reason.trim() === '') return reasonInput.current?.focus()
    setRefused({})
    // Of a form that was left meanwhile, nothing is called any more.
    const added = corrected === undefined ? schema : changed
    lookUp.mutate(added, {
      onSuccess: (missing) => {
        setRefused(missing)
        focusFirst(Object.keys(missing))
        if (Object.keys(missing).length > 0) return
        uploading.current = true
        adding.mutate(
          corrected === undefined
            ? { values: newValues(schema, entries) }
            : {
                values: changedValues(changed, entries),
                corrects: { itemId: corrected.id, reason },
              },
        )
      },
    })
  }

  const isBusy = lookUp.isPending || adding.isPending
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!isBusy) submit()
      }}
    >
      {restored && (
        <DraftNotice onDiscard={discard}>
          {schema.some(({ type }) => type === 'binary') &&
            'Files cannot be kept: choose them again'}
        </DraftNotice>
      )}
      <fieldset className={classes.fields} disabled={adding.isPending}>
        {schema.map((field) =>
          corrected !== undefined && isKept(field.name) ? (
            <KeptFile
              key={field.name}
              id={inputId(field.name)}
              datasetId={repo}
              item={corrected}
              field={field}
              onReplace={() => enter(field.name, undefined)}
            />
          ) : (
            <EditField
              key={field.name}
              id={inputId(field.name)}
              field={field}
              entry={entries[field.name]}
              error={errorOf(field)}
              leftOut={leftOut[field.name] ?? 0}
              onChange={(entry, others) => enter(field.name, entry, others)}
              onUnfinished={(isUnfinished) => markUnfinished(field.name, isUnfinished)}
            />
          ),
        )}
        {corrected !== undefined && (
          <TextInput
            ref={reasonInput}
            label="Reason"
            description="Stands beside the correction for good, for everybody who reads the item"
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
            error={attempted && reason.trim() === '' ? 'This field is required' : undefined}
            maxLength={limits.reasonLength}
            autoComplete="off"
            dir="auto"
            aria-required
          />
        )}
      </fieldset>
      {(adding.isPending || adding.isError) && (
        <InsertPanel progress={adding.progress} failed={adding.isError} onCancel={adding.cancel} />
      )}
      {adding.isError && (
        <ErrorBox
          error={adding.error}
          hint={failureHint(repo, adding.error, adding.progress.step)}
        />
      )}
      {!adding.isPending && (
        <div>
          <Button ref={submitButton} type="submit" loading={lookUp.isPending}>
            {adding.isError ? 'Try again' : 'Submit'}
          </Button>
        </div>
      )}
      <LeaveDialog uploading={() => uploading.current}>
        Leaving this page cancels it, and the item is not added.
      </LeaveDialog>
    </form>
  )
}

function without(reasons: Readonly<Record<string, string>>, name: string) {
  return Object.fromEntries(Object.entries(reasons).filter(([field]) => field !== name))
}

/** Advice on a failure. No answer to a commit leaves open whether it was done. */
function failureHint(repo: string, error: Error, step: AddItemStep): ReactNode {
  const replacedBy = error instanceof ApiError ? error.body?.details?.replacedBy : undefined
  if (replacedBy !== undefined) {
    return (
      <Link to={paths.item(repo, replacedBy)}>Look at item {replacedBy}, which replaced it</Link>
    )
  }
  if (step !== 'commit' || (error instanceof ApiError && error.status > 0)) return undefined
  return (
    <>
      The item may have been added all the same. Look at{' '}
      <Link to={paths.items(repo)}>the items of {repo}</Link> before trying again.
    </>
  )
}
