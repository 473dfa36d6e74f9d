import { ErrorBox } from '../../ui/ErrorBox.tsx'
import { Notice } from '../../ui/Notice.tsx'
import type { SampleProblem } from './check-sample.ts'

type Props = {
  /** Problems of the mapping, one sentence each. */
  wrong: readonly string[]
  /** Problems of the rows. */
  refused: readonly SampleProblem[]
  /** How many rows were looked at. */
  rows: number
  mode: 'all' | 'skip'
  /** Whether rows are matched with items, and so none can be left out. */
  isMatched: boolean
  counts: 'line' | 'row'
  /** Whether no other rows of these would be refused. */
  isWhole: boolean
}

const problemsShown = 5

/** Problems of an import that are known before anything is sent. */
export function SampleProblems({ wrong, refused, rows, mode, isMatched, counts, isWhole }: Props) {
  const refusedRows = new Set(refused.map(({ line }) => line)).size
  if (wrong.length > 0) {
    return (
      <ErrorBox
        error={{ message: 'The columns do not fit the schema yet', problems: wrong }}
        hint="Choose above the rows what each column is for."
      />
    )
  }
  if (refused.length === 0) {
    return (
      <Notice>
        The first {rows === 1 ? 'row fits' : `${rows} rows fit`} the schema
        {isWhole ? '.' : '; the server also checks references, files and digests.'}
      </Notice>
    )
  }
  const problems = refused
    .slice(0, problemsShown)
    .map(({ line, reason }) => `${counts === 'line' ? 'Line' : 'Row'} ${line}: ${reason}`)
  if (refused.length > problemsShown) problems.push(`and ${refused.length - problemsShown} more`)
  return (
    <ErrorBox
      error={{
        message: `Of the first ${rows} rows ${isWhole ? '' : 'at least '}${refusedRows} would be refused`,
        problems,
      }}
      hint={
        mode === 'all' || isMatched
          ? `As it is, nothing would be imported. Correct the file${isMatched ? ' or choose other columns.' : ', choose other columns, or import the other rows.'}`
          : 'These rows would be left out and reported.'
      }
    />
  )
}
