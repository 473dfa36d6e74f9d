import type { DatasetInfo } from '@vitrine/contract'
import { Link } from 'react-router'
import { paths } from '../paths.ts'
import { ErrorBox } from '../ui/ErrorBox.tsx'

/** Items are added to repositories only. */
export function NoRepo({ info: { name, view } }: { info: DatasetInfo }) {
  if (view === undefined) {
    return (
      <ErrorBox error={{ message: `${name} is not a repository: items cannot be added to it` }} />
    )
  }
  return (
    <ErrorBox
      error={{ message: `${name} is a view: items cannot be added to it` }}
      hint={
        <>
          It derives from <Link to={paths.dataset(view.base)}>{view.base}</Link>.
        </>
      }
    />
  )
}
