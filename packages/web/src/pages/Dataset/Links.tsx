import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type DatasetInfo, type LinkInfo, limits } from '@vitrine/contract'
import { Suspense, useState } from 'react'
import { useApp } from '../../app-context.tsx'
import { linksChanged } from '../../data/changes.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { Details } from '../../ui/Details.tsx'
import { ErrorBox } from '../../ui/ErrorBox.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { PersonName } from '../../ui/PersonName.tsx'
import { Section } from '../../ui/Section.tsx'
import { showItems } from '../../ui/show-amounts.ts'
import { ShortTable } from '../../ui/ShortTable.tsx'
import type { Column } from '../../ui/Table.tsx'
import { RelativeTime, Timestamp } from '../../ui/Time.tsx'
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
            columns={linkColumns(setToRevoke)}
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
        <ConfirmDialog
          title={`Revoke ${toRevoke.name}?`}
          confirm="Revoke link"
          onClose={() => setToRevoke(undefined)}
          onConfirm={() => revoking.mutate(toRevoke)}
        >
          It opens nothing from that moment on. This cannot be undone.{' '}
          {toRevoke.usedAt === null ? (
            'It was never used.'
          ) : (
            <>
              It was last used <RelativeTime iso={toRevoke.usedAt} />.
            </>
          )}
        </ConfirmDialog>
      )}
    </Section>
  )
}

function linkColumns(onRevoke: (link: LinkInfo) => void): Column<LinkInfo>[] {
  return [
    {
      key: 'name',
      header: 'name',
      rowHeader: true,
      cell: ({ name }) => (
        <span dir="auto" className={classes.name}>
          {name}
        </span>
      ),
    },
    {
      key: 'shows',
      header: 'shows',
      cell: ({ at }) => (at === null ? 'what there is then' : `the first ${showItems(at)}`),
    },
    { key: 'by', header: 'by', cell: ({ by }) => <PersonName person={by} /> },
    { key: 'expires', header: 'expires', cell: ({ expiresAt }) => <Timestamp iso={expiresAt} /> },
    {
      key: 'used',
      header: 'last used',
      cell: ({ usedAt }) => (usedAt === null ? 'never' : <RelativeTime iso={usedAt} />),
    },
    {
      key: 'links',
      header: 'links',
      hideHeader: true,
      end: true,
      cell: (link) => (
        <Button
          variant="default"
          size="compact-sm"
          aria-label={`Revoke ${link.name}`}
          onClick={() => onRevoke(link)}
        >
          Revoke
        </Button>
      ),
    },
  ]
}
