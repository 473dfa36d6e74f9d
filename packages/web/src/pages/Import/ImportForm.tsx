import '@mantine/core/styles/Input.css'
import { Button, NativeSelect } from '@mantine/core'
import { type ImportFormat, type ImportState, type ShownField, idMatches } from '@vitrine/contract'
import { rowUnit } from '@vitrine/rows/file-format'
import { workbookNotes } from '@vitrine/rows/describe/describe-rows'
import type { Reading } from '@vitrine/rows/reading'
import { useState } from 'react'
import { useApp } from '../../app-context.tsx'
import { ButtonRow } from '../../ui/ButtonRow.tsx'
import { ErrorBox } from '../../ui/ErrorBox.tsx'
import { showBytes, showItems } from '../../ui/show-amounts.ts'
import { correctedSample, correctedText } from './corrections.ts'
import { checkSample, isCheckedWhole } from './check-sample.ts'
import {
  columnsParameter,
  guessMapping,
  mappingProblems,
  firstMatch,
  itemColumns,
  matchableFields,
  withItemColumns,
} from './column-mapping.ts'
import { FileReading, SheetReading } from './FileReading.tsx'
import { isComplete, isGuarded, type ImportChoice, type Matching } from './import-choice.ts'
import classes from './ImportForm.module.css'
import type { InspectedFile } from './inspect-file.ts'
import type { Sample } from '../../data/rows/sample.ts'
import { MappingTable } from './MappingTable.tsx'
import { MatchFields } from './MatchFields.tsx'
import type { Correcting } from './RefusedTable.tsx'
import { RowsToCorrect } from './RowsToCorrect.tsx'
import { SampleProblems } from './SampleProblems.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Timestamp } from '../../ui/Time.tsx'

type Props = {
  repo: string
  looked: InspectedFile
  schema: readonly ShownField[]
  /** The file is to be looked at again, read in another way. */
  onReading: (reading: Reading) => void
  onImport: (choice: ImportChoice) => void
  /** Left out where rows cannot be corrected. */
  correcting: Correcting | undefined
}

/** The first rows of a file against the schema, and how it is to be imported. */
export function ImportForm({ repo, looked, schema, onReading, onImport, correcting }: Props) {
  const { file, format, sample, unreadable, earlier } = looked
  const [mapping, setMapping] = useState(() =>
    sample === undefined ? {} : guessMapping(sample, schema),
  )
  const [mode, setMode] = useState<ImportChoice['mode']>('all')
  const hasCells = format === 'csv' || format === 'tsv'
  const [guard, setGuard] = useState(hasCells && isGuarded(sample))

  const { features } = useApp()
  const aboutItems = itemColumns(features)
  const [chosen, setChosen] = useState<Matching>()
  const matchFields =
    sample === undefined
      ? [
          ...aboutItems.filter((name) => idMatches.includes(name)),
          ...schema.map(({ name }) => name),
        ]
      : matchableFields(mapping, schema)
  // A column that a row is matched by may be given another field, or none.
  const matching = chosen && {
    ...chosen,
    match: chosen.match.filter((name) => matchFields.includes(name)),
  }
  const isMatched = matching !== undefined
  const changeMatching = (next: Matching | undefined) => {
    if (isMatched && next !== undefined) return setChosen(next)
    const columns = withItemColumns(mapping, aboutItems, next !== undefined)
    setMapping(columns)
    return setChosen(next && { ...next, match: firstMatch(columns, schema) })
  }
  const wrong = sample === undefined ? [] : mappingProblems(mapping, schema, matching?.match)
  const correctedRows = Object.keys(correcting?.corrections ?? {}).length
  // The other rows of a file that was imported are there.
  const [isAlone, setAlone] = useState(earlier?.state === 'done' && correctedRows > 0)
  const check = (rows: Sample | undefined) =>
    rows === undefined ? [] : checkSample(rows, { mapping, schema, format })
  const { corrections = {} } = correcting ?? {}
  const refused = check(sample && correctedSample(sample, { corrections, mapping }))
  const counts = rowUnit(format)
  const notes = sample?.workbook === undefined ? [] : workbookNotes(sample.workbook)
  const isEmpty = sample !== undefined && sample.rows.length === 0
  const canImport =
    wrong.length === 0 &&
    unreadable === undefined &&
    !isEmpty &&
    (matching === undefined || isComplete(matching))
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (canImport)
          onImport({
            mode: isMatched ? 'all' : mode,
            matching,
            guard,
            reading: looked.reading,
            columns: columnsParameter(mapping),
            isAlone: isAlone && correctedRows > 0,
          })
      }}
    >
      <p>
        <span className={classes.name}>{file.name}</span>{' '}
        <span className={classes.about}>
          {showBytes(file.size)}, {format}
          {sample === undefined && unreadable === undefined && ': the server looks into it'}
        </span>
      </p>
      {earlier !== undefined && <EarlierNotice earlier={earlier} />}
      {looked.reading.encoding !== undefined && (
        <Notice urgent>
          This file is not in UTF-8, and is read as {looked.reading.encoding}: see whether its texts
          are right, or choose another encoding below.
        </Notice>
      )}
      {notes.length > 0 && <Notice>{notes.join(' ')}</Notice>}
      {unreadable !== undefined && <ErrorBox error={{ message: unreadable }} />}
      {isEmpty && <ErrorBox error={{ message: `${file.name} has no rows` }} />}
      {sample !== undefined && !isEmpty && (
        <>
          <MappingTable
            sample={sample}
            counts={counts}
            schema={schema}
            mapping={mapping}
            refused={refused}
            aboutItems={isMatched ? aboutItems : []}
            onChange={setMapping}
          />
          <SampleProblems
            wrong={wrong}
            refused={refused}
            rows={sample.rows.length}
            mode={mode}
            isMatched={isMatched}
            counts={counts}
            isWhole={isCheckedWhole(mapping, schema)}
          />
        </>
      )}
      {correcting !== undefined && wrong.length === 0 && (
        <RowsToCorrect
          repo={repo}
          looked={looked}
          mapping={mapping}
          refused={check(sample)}
          correcting={correcting}
        />
      )}
      <div className={classes.options}>
        <NativeSelect
          label="When a row is refused"
          value={isMatched ? 'all' : mode}
          disabled={isMatched}
          onChange={({ currentTarget }) => setMode(currentTarget.value === 'skip' ? 'skip' : 'all')}
        >
          <option value="all">import nothing, and report these rows</option>
          <option value="skip">import the others, and report these rows</option>
        </NativeSelect>
        {isText(format) && (
          <FileReading
            usualDelimiter={format === 'csv' ? ',' : format === 'tsv' ? '\t' : undefined}
            reading={looked.reading}
            onChange={onReading}
          />
        )}
        {looked.sheets !== undefined && (
          <SheetReading sheets={looked.sheets} reading={looked.reading} onChange={onReading} />
        )}
        {earlier?.state === 'done' && correctedRows > 0 && (
          <label className={classes.check}>
            <input
              type="checkbox"
              checked={isAlone}
              onChange={({ currentTarget }) => setAlone(currentTarget.checked)}
            />
            Import only the rows that were corrected
          </label>
        )}
        {hasCells && (
          <label className={classes.check}>
            <input
              type="checkbox"
              checked={guard}
              onChange={({ currentTarget }) => setGuard(currentTarget.checked)}
            />
            Remove the ' that an export for spreadsheets puts before possible formulas
          </label>
        )}
        {features.includes('import-match') && (
          <MatchFields fields={matchFields} matching={matching} onChange={changeMatching} />
        )}
      </div>
      <ButtonRow>
        <Button type="submit" disabled={!canImport}>
          {isMatched
            ? 'Show the difference'
            : correctedRows === 0
              ? 'Import'
              : correctedText(correctedRows, isAlone)}
        </Button>
      </ButtonRow>
    </form>
  )
}

function isText(format: ImportFormat): boolean {
  return format === 'csv' || format === 'tsv' || format === 'ndjson' || format === 'json'
}

/** Says that the same file was imported before, as importing it again adds its rows again. */
function EarlierNotice({ earlier: { state, createdAt, items } }: { earlier: ImportState }) {
  if (state === 'checking' || state === 'publishing') {
    return <Notice urgent>This file is being imported at this moment: see below.</Notice>
  }
  if (state === 'checked') {
    return <Notice urgent>This file was checked, and waits to be confirmed: see below.</Notice>
  }
  if (state !== 'done' || items === undefined) return null
  return (
    <Notice urgent>
      This file was imported on <Timestamp iso={createdAt} /> as {showItems(items.to - items.from)}.
      Importing it again adds them all again.
    </Notice>
  )
}
