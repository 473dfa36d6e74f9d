import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type DatasetInfo, type LinkInfo, limits } from '@vitrine/contract'
import { Suspense, useState } from 'react'
import { useApp } from '../../app-context.tsx'
import { linksChanged } from '../../data/changes.ts'
import { credentialColumns, RevokeDialog } from '../../ui/credentials.tsx'
import { Details } from '../../ui/Details.tsx'
import { ErrorBox } from '../../ui/ErrorBox.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { PersonName } from '../../ui/PersonName.tsx'
import { Section } from '../../ui/Section.tsx'
import { showItems } from '../../ui/show-amounts.ts'
import { ShortTable } from '../../ui/ShortTable.tsx'
import type { Column } from '../../ui/Table.tsx'
import classes from './Access.module.css'

const LinkForm = lazyPart(async () => (await import('./LinkForm.tsx')).LinkForm)

/** Signed links to a dataset: those of whoever is signed in, or for its owners all. */
export function Links({ info }: { info: DatasetInfo }) {
  const { name: datasetId } = info
  const { client, queries } = useApp()
  const queryClient = useQueryClient()
  const { data, error, refetch } = useQuery(queries.linkList(datasetId))
  const [toRevoke, setToRevoke] = useState<LinkInfo>()
  const revoking = useMutation({
    mutationFn: ({ id }: LinkInfo) => client.linkRevoke({ datasetId, linkId: id }),
    onSettled: () => linksChanged(queryClient),
  })
  return (
    <Section title="Links">
      <div className={classes.parts}>
        <p className={classes.note}>
          Whoever has a link reads this dataset without signing in, until it expires.
        </p>
        {error !== null && <ErrorBox error={error} onRetry={() => void refetch()} />}
        {revoking.error !== null && <ErrorBox error={revoking.error} />}
        {(data ?? []).length > 0 && (
          <ShortTable
            label="Links"
            columns={credentialColumns(linkColumns, setToRevoke)}
            rows={data}
            rowKey={({ id }) => id}
            expectedRows={1}
            stale={revoking.isPending}
          />
        )}
        {data?.length === limits.pageSizeMax && (
          <p className={classes.note}>
            There are more: <code>vitrine link list {datasetId}</code> lists all.
          </p>
        )}
        <Details summary="Create a link">
          <Suspense>
            <LinkForm info={info} />
          </Suspense>
        </Details>
      </div>
      {toRevoke !== undefined && (
        <RevokeDialog
          credential={toRevoke}
          kind="link"
          consequence="It opens nothing from that moment on."
          onClose={() => setToRevoke(undefined)}
          onConfirm={() => revoking.mutate(toRevoke)}
        />
      )}
    </Section>
  )
}

const linkColumns: Column<LinkInfo>[] = [
  {
    key: 'shows',
    header: 'shows',
    cell: ({ at }) => (at === null ? 'what there is then' : `the first ${showItems(at)}`),
  },
  { key: 'by', header: 'by', cell: ({ by }) => <PersonName person={by} /> },
]
