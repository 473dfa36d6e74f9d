import { ApiError } from '@vitrine/client'
import type { ImportState } from '@vitrine/contract'
import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { ErrorBox } from '../../ui/ErrorBox.tsx'
import { showItems } from '../../ui/show-amounts.ts'
import classes from './ImportScreen.module.css'
import { RefusedRows } from './RefusedRows.tsx'

type Props = {
  repo: string
  state: ImportState
  /** Whether the rows that are good can be imported from here. */
  offersGoodRows: boolean
}

/** How an import ended. */
export function ImportEnd({ repo, state, offersGoodRows }: Props) {
  const { key, error, items, refusedRows } = state
  return (
    <>
      {state.state === 'done' && (
        <output>
          <span className={classes.done}>
            {showItems(items === undefined ? state.publishedRows : items.to - items.from)} imported
          </span>{' '}
          <Link to={paths.items(repo)}>Show the items</Link>
        </output>
      )}
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
          hint={
            offersGoodRows
              ? 'The repository is as it was. Correct the file and import it again, or import the rows that are good.'
              : 'The repository is as it was. Correct the file and import it again.'
          }
        />
      )}
      {refusedRows > 0 && <RefusedRows repo={repo} importKey={key} count={refusedRows} />}
    </>
  )
}

function problemsOf(error: ImportState['error']): string[] {
  return error === undefined ? [] : new ApiError(error.message, { body: error }).problems
}
