import '@mantine/core/styles/Input.css'
import { Button, NativeSelect } from '@mantine/core'
import type { ShownField, ImportState } from '@vitrine/contract'
import { rowUnit } from '@vitrine/rows/file-format'
import { useState } from 'react'
import { ButtonRow } from '../../ui/ButtonRow.tsx'
import { ErrorBox } from '../../ui/ErrorBox.tsx'
import { showBytes, showItems } from '../../ui/show-amounts.ts'
import { checkSample, isCheckedWhole } from './check-sample.ts'
import { columnsParameter, guessMapping, mappingProblems } from './column-mapping.ts'
import {
  delimiterParameter,
  isGuarded,
  usualDelimiter,
  type ImportChoice,
} from './import-choice.ts'
import classes from './ImportForm.module.css'
import type { InspectedFile } from './inspect-file.ts'
import { MappingTable } from './MappingTable.tsx'
import { SampleProblems } from './SampleProblems.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Timestamp } from '../../ui/Timestamp.tsx'

type Props = {
  looked: InspectedFile
  schema: readonly ShownField[]
  /** The file is to be looked at again, with something else between its cells. */
  onDelimiter: (delimiter: string) => void
  onImport: (choice: ImportChoice) => void
}

const delimiterNames = { ',': 'comma', ';': 'semicolon', '\t': 'tab', '|': 'bar (|)' }

/** The first rows of a file against the schema, and how it is to be imported. */
export function ImportForm({ looked, schema, onDelimiter, onImport }: Props) {
  const { file, format, sample, unreadable, earlier } = looked
  const [mapping, setMapping] = useState(() =>
    sample === undefined ? {} : guessMapping(sample, schema),
  )
  const [mode, setMode] = useState<ImportChoice['mode']>('all')
  const hasCells = format === 'csv' || format === 'tsv'
  const [guard, setGuard] = useState(hasCells && isGuarded(sample))

  const wrong = sample === undefined ? [] : mappingProblems(mapping, schema)
  const refused = sample === undefined ? [] : checkSample(sample, { mapping, schema, format })
  const counts = rowUnit(format)
  const isEmpty = sample !== undefined && sample.rows.length === 0
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (wrong.length === 0)
          onImport({
            mode,
            guard,
            delimiter: delimiterParameter(looked),
            columns: columnsParameter(mapping),
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
            onChange={setMapping}
          />
          <SampleProblems
            wrong={wrong}
            refused={refused}
            rows={sample.rows.length}
            mode={mode}
            counts={counts}
            isWhole={isCheckedWhole(mapping, schema)}
          />
        </>
      )}
      <div className={classes.options}>
        <NativeSelect
          label="When a row is refused"
          value={mode}
          onChange={({ currentTarget }) => setMode(currentTarget.value === 'skip' ? 'skip' : 'all')}
        >
          <option value="all">import nothing, and report these rows</option>
          <option value="skip">import the others, and report these rows</option>
        </NativeSelect>
        {hasCells && (
          <NativeSelect
            label="Delimiter"
            value={looked.delimiter ?? usualDelimiter(format)}
            onChange={({ currentTarget }) => onDelimiter(currentTarget.value)}
          >
            {Object.entries(delimiterNames).map(([delimiter, name]) => (
              <option key={delimiter} value={delimiter}>
                {name}
              </option>
            ))}
          </NativeSelect>
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
      </div>
      <ButtonRow>
        <Button type="submit" disabled={wrong.length > 0 || unreadable !== undefined || isEmpty}>
          Import
        </Button>
      </ButtonRow>
    </form>
  )
}

/** Says that the same file was imported before, as importing it again adds its rows again. */
function EarlierNotice({ earlier: { state, createdAt, items } }: { earlier: ImportState }) {
  if (state === 'checking' || state === 'publishing') {
    return <Notice urgent>This file is being imported at this moment: see below.</Notice>
  }
  if (state !== 'done' || items === undefined) return null
  return (
    <Notice urgent>
      This file was imported on <Timestamp iso={createdAt} /> as {showItems(items.to - items.from)}.
      Importing it again adds them all again.
    </Notice>
  )
}
