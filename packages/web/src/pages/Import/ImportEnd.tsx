import { ApiError } from '@vitrine/client'
import type { ImportState } from '@vitrine/contract'
import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { ErrorBox } from '../../ui/ErrorBox.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { showItems } from '../../ui/show-amounts.ts'
import classes from './ImportScreen.module.css'
import { RefusedRows } from './RefusedRows.tsx'
import type { Correcting } from './RefusedTable.tsx'

type Props = {
  repo: string
  state: ImportState
  /** Whether the rows that are good can be imported from here. */
  offersGoodRows: boolean
  /** Left out where the file is not at hand. */
  correcting?: Correcting | undefined
}

/** How an import ended. */
export function ImportEnd({ repo, state, offersGoodRows, correcting }: Props) {
  const { key, error, refusedRows, notes = [] } = state
  return (
    <>
      {state.state === 'done' && (
        <output>
          <span className={classes.done}>{endText(state)}</span>{' '}
          <Link to={paths.items(repo)}>Show the items</Link>
        </output>
      )}
      {state.state === 'done' && notes.length > 0 && <Notice>{notes.join(' ')}</Notice>}
      {state.state === 'cancelled' && (
        <output>The import was cancelled. The repository is as it was.</output>
      )}
      {state.state === 'failed' && (
        <ErrorBox
          error={{
            message: error?.message ?? 'unknown error',
            // Rows that were refused are listed below.
            problems: refusedRows > 0 ? [] : problemsOf(error),
          }}
          hint={`The repository is as it was. Correct ${correcting === undefined || error?.code !== 'IMPORT_REFUSED' ? 'the file and import it again' : 'the values below and import again'}${offersGoodRows ? ', or import the rows that are good' : ''}.`}
        />
      )}
      {refusedRows > 0 && (
        <RefusedRows repo={repo} importKey={key} count={refusedRows} correcting={correcting} />
      )}
    </>
  )
}

function endText(state: ImportState): string {
  const { items, publishedRows, changedRows } = state
  const total = items === undefined ? publishedRows : items.to - items.from
  if (changedRows === undefined) return `${showItems(total)} imported`
  return `${showItems(changedRows)} corrected, ${(total - changedRows).toLocaleString()} added`
}

function problemsOf(error: ImportState['error']): string[] {
  return error === undefined ? [] : new ApiError(error.message, { body: error }).problems
}
