import { useQuery } from '@tanstack/react-query'
import { baseOf, type DatasetInfo } from '@vitrine/contract'
import { Link } from 'react-router'
import { useApp } from '../../app-context.tsx'
import { paths } from '../../paths.ts'
import { ErrorBox } from '../../ui/ErrorBox.tsx'
import { TextSkeleton } from '../../ui/TextSkeleton.tsx'
import { withoutName } from '../view-problems.ts'
import { clauseText } from './clause-text.ts'
import { Funnel } from './Funnel.tsx'
import classes from './WhyEmpty.module.css'

/** Says which clause of a view without items lets none through, and how many those before it do. */
export function WhyEmpty({ view }: { view: NonNullable<DatasetInfo['view']> }) {
  const { queries } = useApp()
  const body = withoutName(view)
  const { data, error, refetch } = useQuery(queries.viewPreview(body))
  if (error !== null) return <ErrorBox error={error} onRetry={() => void refetch()} />
  const dry = data?.funnel.find(({ count, exact }) => count === 0 && exact)
  // Items came since the view was listed as empty.
  if (data?.exact === true && dry === undefined) return null
  return (
    <section aria-label="Why the view is empty" aria-busy={data === undefined}>
      <p className={classes.reason}>
        {dry === undefined ? (
          <TextSkeleton width={30} />
        ) : dry.clause === 'base' ? (
          <>
            <Link to={paths.dataset(baseOf(view).name)}>{baseOf(view).name}</Link>, which it is
            derived from, has no items.
          </>
        ) : (
          <>
            <code>{clauseText(body, dry.at)}</code> lets no item through.
          </>
        )}
      </p>
      {data && <Funnel steps={data.funnel} textOf={({ at }) => clauseText(body, at)} />}
    </section>
  )
}
