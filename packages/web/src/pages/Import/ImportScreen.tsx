import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError, deleteEmptyRepo } from '@vitrine/client'
import type { DatasetInfo, ImportState, ShownField } from '@vitrine/contract'
import { paddingComment } from '@vitrine/rows/text/preamble'
import type { Reading } from '@vitrine/rows/reading'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { Navigate } from 'react-router'
import { useApp } from '../../app-context.tsx'
import { takeChosenFiles } from '../../files/file-with-path.ts'
import { DropZone } from '../../files/DropZone.tsx'
import { importEndings } from '../../data/rows/file-format.ts'
import { datasetsChanged } from '../../data/changes.ts'
import { paths } from '../../paths.ts'
import { ErrorBox } from '../../ui/ErrorBox.tsx'
import { Section } from '../../ui/Section.tsx'
import { defaultChoice } from './default-choice.ts'
import { newImportKey } from './file-key.ts'
import { ImportForm } from './ImportForm.tsx'
import type { ImportChoice } from './import-choice.ts'
import { ImportList } from './ImportList.tsx'
import { ImportProgress } from './ImportProgress.tsx'
import { ImportRun } from './import-run.ts'
import { correctionsByColumn, isCorrectable, type Corrections } from './corrections.ts'
import type { Correcting } from './RefusedTable.tsx'
import { useCorrections } from './use-corrections.ts'
import { correctFile } from '../../data/rows/rows-of-file.ts'
import classes from './ImportScreen.module.css'
import { inspectAgain, inspectFile, type InspectedFile } from './inspect-file.ts'
import { ResumeOffer } from './ResumeOffer.tsx'

/** Handed to the screen that the repository was made on, which is deleted again. */
export type ImportFailure = {
  repo: string
  error: { message: string; problems: readonly string[] }
}

type Begun = { looked: InspectedFile; choice: ImportChoice }

/** Subscription of a screen without a run. */
const noChanges = () => () => {}

/** Imports a file into a repository: choosing, mapping, sending, and what became of others. */
export function ImportScreen({ info }: { info: DatasetInfo }) {
  const { client } = useApp()
  const store = useCorrections(info.name)
  const [run, setRun] = useState<ImportRun>()
  /** The choice that the run was begun with; not known of one that is resumed. */
  const [begun, setBegun] = useState<Begun>()
  const [carried] = useState((): { file: File; encoding?: string | undefined } | undefined => {
    const { files: [first] = [], encoding } = takeChosenFiles(info.name) ?? {}
    return first && { file: first.file, encoding }
  })
  const [startsOver, setStartsOver] = useState(false)
  useSyncExternalStore(run?.subscribe ?? noChanges, () => run?.version)
  const isUnderWay = run !== undefined && run.status.is !== 'ended'
  const deleted = useDeleteCreated(
    info,
    run !== undefined && carried !== undefined ? failureOf(run) : undefined,
  )
  const again = useMutation({
    mutationFn: ({ looked, reading }: { looked: InspectedFile; reading: Reading }) =>
      inspectAgain(looked, reading),
  })
  const look = useMutation({
    mutationFn: (chosen: { file: File; encoding?: string | undefined }) =>
      inspectFile(client, info.name, chosen),
    onMutate: () => {
      setStartsOver(false)
      again.reset()
    },
    onSuccess: (looked) => {
      const choice = looked.file === carried?.file ? defaultChoice(looked, info.schema) : undefined
      if (choice !== undefined) begin(looked, choice)
    },
  })
  const { mutate: lookAt } = look
  useEffect(() => {
    if (carried !== undefined) lookAt(carried)
  }, [carried, lookAt])
  const beginning = useMutation({
    mutationFn: (begun: Begun) => fileToSend(begun, info.schema, store.of(begun.looked.fileKey)),
    onSuccess: (file, { looked, choice }) => {
      const { format, fileKey } = looked
      const isCorrected = file !== looked.file
      const key = newImportKey(fileKey, new Date(), { isCorrected })
      const isPadded = isCorrected && format !== 'ndjson' && looked.sample?.columns.length === 1
      const plan = {
        repo: info.name,
        key,
        file,
        format,
        ...choice,
        reading: {
          ...choice.reading,
          ...(isPadded && { comment: choice.reading.comment ?? paddingComment }),
          ...(isCorrected && { encoding: undefined }),
        },
      }
      const started = new ImportRun(client, plan)
      started.start()
      setRun(started)
      setBegun({ looked, choice })
    },
  })
  const begin = (looked: InspectedFile, choice: ImportChoice) =>
    beginning.mutate({ looked, choice })
  const correctingOf = ({ fileKey, format, isGzip }: InspectedFile): Correcting | undefined =>
    isCorrectable(format) && !isGzip
      ? {
          schema: info.schema,
          corrections: store.of(fileKey),
          onChange: (corrections) => store.change(fileKey, corrections),
        }
      : undefined
  const resume = ({ file, format }: InspectedFile, earlier: ImportState) => {
    const { key, mode } = earlier
    const plan = {
      repo: info.name,
      key,
      file,
      format,
      mode,
      guard: false,
      reading: {},
      columns: undefined,
    }
    const resumed = new ImportRun(client, plan, earlier)
    resumed.start()
    setRun(resumed)
    setBegun(undefined)
  }
  const another = () => {
    setRun(undefined)
    beginning.reset()
    look.reset()
    again.reset()
  }

  if (deleted !== undefined) return <Navigate to={paths.addRepo()} state={deleted} replace />
  return (
    <div className={classes.screen}>
      {run === undefined ? (
        chosen()
      ) : (
        <ImportProgress
          key={run.plan.key}
          run={run}
          onAnother={another}
          onImportGoodRows={begun && (() => begin(begun.looked, { ...begun.choice, mode: 'skip' }))}
          correcting={begun && correctingOf(begun.looked)}
          onImportCorrected={(isAlone) =>
            begun && begin(begun.looked, { ...begun.choice, mode: 'all', isAlone })
          }
          onDone={() => begun && store.change(begun.looked.fileKey, {})}
        />
      )}
      {beginning.isPending && <output className={classes.busy}>Reading the file…</output>}
      {beginning.error !== null && <ErrorBox error={beginning.error} />}
      <Section title="Imports">
        <ImportList
          repo={info.name}
          except={isUnderWay ? run?.plan.key : undefined}
          store={store}
        />
      </Section>
    </div>
  )

  function chosen() {
    const { data: first } = look
    const looked = again.data?.file === first?.file ? (again.data ?? first) : first
    return (
      <>
        <DropZone
          what="a file"
          hint="NDJSON, JSON, CSV, TSV (also packed by gzip), Parquet or Excel (.xlsx), or a zip, tar or tar.gz of such rows and the files that they name. Of any size: it is sent in parts and can be interrupted."
          accept={importEndings.join(',')}
          onFiles={([first]) => first && look.mutate({ file: first.file })}
        />
        {look.isPending && <output className={classes.busy}>Looking at the file…</output>}
        {look.error !== null && <ErrorBox error={look.error} />}
        {looked?.earlier?.state === 'receiving' && !startsOver ? (
          <ResumeOffer
            file={looked.file}
            earlier={looked.earlier}
            onResume={(earlier) => resume(looked, earlier)}
            onStartOver={() => setStartsOver(true)}
          />
        ) : (
          looked && (
            <ImportForm
              key={`${looked.fileKey} ${JSON.stringify(looked.reading)}`}
              repo={info.name}
              looked={looked}
              correcting={correctingOf(looked)}
              schema={info.schema}
              onReading={(reading) => again.mutate({ looked, reading })}
              onImport={(choice) => begin(looked, choice)}
            />
          )
        )}
      </>
    )
  }
}

/**
 * Deletes a repository that was just made for a file, once the file failed as a whole: where rows were refused they
 * can be corrected here.
 * @returns the failure once it is deleted
 */
function useDeleteCreated(
  { name }: DatasetInfo,
  error: ImportFailure['error'] | undefined,
): ImportFailure | undefined {
  const { client } = useApp()
  const queryClient = useQueryClient()
  const { mutate, isIdle, data, variables } = useMutation({
    mutationFn: (_error: ImportFailure['error']) => deleteEmptyRepo(client, name),
  })
  useEffect(() => {
    if (error !== undefined && isIdle) mutate(error)
  }, [error, isIdle, mutate])
  const isDeleted = data === true
  useEffect(() => {
    // Only once this screen is gone, which would ask for the repository again.
    if (isDeleted) return () => void datasetsChanged(queryClient)
    return undefined
  }, [isDeleted, queryClient])
  return isDeleted && variables !== undefined ? { repo: name, error: variables } : undefined
}

function failureOf({ state, status }: ImportRun): ImportFailure['error'] | undefined {
  if (status.is === 'stopped') {
    const { error } = status
    const isFinal = error instanceof ApiError && error.status >= 400 && error.status !== 401
    return isFinal ? { message: error.message, problems: error.problems } : undefined
  }
  if (status.is !== 'ended' || state?.state !== 'failed' || state.refusedRows > 0) return undefined
  const { message, problems } = new ApiError(state.error?.message ?? '', { body: state.error })
  return { message, problems }
}

/** The file of an import as it is sent: with its corrections, where there are some. */
async function fileToSend(
  { looked: { file, format, sample, reading }, choice }: Begun,
  schema: readonly ShownField[],
  corrections: Corrections,
): Promise<Blob> {
  if (Object.keys(corrections).length === 0 || !isCorrectable(format)) return file
  const { columns: mapping = {}, guard, isAlone } = choice
  const { columns = [] } = sample ?? {}
  const byColumn = correctionsByColumn(corrections, { columns, mapping, schema })
  return correctFile(file, byColumn, { format, ...reading, guard, isAlone })
}
