import '@mantine/core/styles/Input.css'
import { Button, NativeSelect } from '@mantine/core'
import type { ShownField } from '@vitrine/contract'
import { useState } from 'react'
import { ButtonRow } from '../../ui/ButtonRow.tsx'
import { ErrorBox } from '../../ui/ErrorBox.tsx'
import { showBytes } from '../../ui/show-amounts.ts'
import { checkSample, isCheckedWhole } from '../../import/check-sample.ts'
import { columnsParameter, guessMapping, mappingProblems } from './column-mapping.ts'
import { isGuarded, type ImportChoice } from '../../import/import-choice.ts'
import { EarlierNotice } from '../../import/EarlierNotice.tsx'
import classes from './ImportForm.module.css'
import type { LookedAt } from '../../import/look-at-file.ts'
import { MappingTable } from './MappingTable.tsx'
import { SampleProblems } from './SampleProblems.tsx'

type Props = {
  looked: LookedAt
  schema: readonly ShownField[]
  onImport: (choice: ImportChoice) => void
}

/** The first rows of a file against the schema, and how it is to be imported. */
export function ImportForm({ looked, schema, onImport }: Props) {
  const { file, format, sample, unreadable, earlier } = looked
  const [mapping, setMapping] = useState(() =>
    sample === undefined ? {} : guessMapping(sample, schema),
  )
  const [mode, setMode] = useState<ImportChoice['mode']>('all')
  const hasCells = format === 'csv' || format === 'tsv'
  const [guard, setGuard] = useState(hasCells && isGuarded(sample))

  const wrong = sample === undefined ? [] : mappingProblems(mapping, schema)
  const refused = sample === undefined ? [] : checkSample(sample, { mapping, schema, format })
  // A Parquet file has no lines.
  const counts = format === 'parquet' ? 'row' : 'line'
  const isEmpty = sample !== undefined && sample.rows.length === 0
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (wrong.length === 0) onImport({ mode, guard, columns: columnsParameter(mapping) })
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
          <option value="all">import nothing, and report every row that is refused</option>
          <option value="skip">import the others, and report it</option>
        </NativeSelect>
        {hasCells && (
          <label className={classes.check}>
            <input
              type="checkbox"
              checked={guard}
              onChange={({ currentTarget }) => setGuard(currentTarget.checked)}
            />
            Take the ' away that exports for spreadsheets put before what could be a formula
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
