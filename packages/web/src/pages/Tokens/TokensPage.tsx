import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { CreatedToken, TokenInfo } from '@vitrine/contract'
import { useState } from 'react'
import { Link } from 'react-router'
import { useApp } from '../../app-context.tsx'
import { tokensChanged } from '../../data/changes.ts'
import { paths } from '../../paths.ts'
import { credentialColumns, RevokeDialog } from '../../ui/credentials.tsx'
import { Details } from '../../ui/Details.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorBox } from '../../ui/ErrorBox.tsx'
import { Listing } from '../../ui/Listing.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { Timestamp } from '../../ui/Time.tsx'
import { Section } from '../../ui/Section.tsx'
import type { Column } from '../../ui/Table.tsx'
import { usePagedQuery } from '../use-paged-query.ts'
import { NewToken } from './NewToken.tsx'
import { TokenForm } from './TokenForm.tsx'
import classes from './Tokens.module.css'

/** The personal access tokens of whoever is signed in: listed, created, revoked. */
export function TokensPage() {
  const { client, queries } = useApp()
  const queryClient = useQueryClient()
  const loaded = usePagedQuery(queries.tokenList)
  const [created, setCreated] = useState<CreatedToken>()
  const [toRevoke, setToRevoke] = useState<TokenInfo>()
  const revoking = useMutation({
    mutationFn: ({ id }: TokenInfo) => client.tokenRevoke({ tokenId: id }),
    onSuccess: (_, { id }) => {
      if (created?.id === id) setCreated(undefined)
    },
    onSettled: () => tokensChanged(queryClient),
  })
  return (
    <>
      <PageHeader title="Access tokens">
        <p className={classes.about}>
          Notebooks, pipelines and spreadsheets use a token in place of your sign-in. What one adds
          is added by you.
        </p>
      </PageHeader>
      <div className={classes.parts}>
        {created === undefined ? (
          <Section title="Create a token">
            <TokenForm onCreated={setCreated} />
          </Section>
        ) : (
          <NewToken created={created} onDone={() => setCreated(undefined)} />
        )}
        <Section title="Your tokens">
          {revoking.error !== null && <ErrorBox error={revoking.error} />}
          <Listing
            label="Access tokens"
            loaded={loaded}
            columns={credentialColumns(tokenColumns, setToRevoke)}
            rowKey={({ id }) => id}
            stacks
            empty={
              <EmptyState text="You have no access tokens yet.">
                <p>
                  Create one for each program, with no more than it needs: then one can be revoked
                  while the others go on.
                </p>
              </EmptyState>
            }
          />
        </Section>
      </div>
      {toRevoke !== undefined && (
        <RevokeDialog
          credential={toRevoke}
          kind="token"
          consequence="What uses it is refused from that moment on."
          onClose={() => setToRevoke(undefined)}
          onConfirm={() => revoking.mutate(toRevoke)}
        />
      )}
    </>
  )
}

const tokenColumns: Column<TokenInfo>[] = [
  { key: 'scope', header: 'scope', cell: ({ scope }) => scope },
  { key: 'datasets', header: 'datasets', cell: (token) => <Datasets of={token} /> },
  { key: 'created', header: 'created', cell: ({ createdAt }) => <Timestamp iso={createdAt} /> },
]

/** Names of datasets that are shown before the others are unfolded. */
const namesShown = 3

function Datasets({ of: { datasets } }: { of: TokenInfo }) {
  if (datasets === null) return 'all'
  const names = datasets.map(({ name, isThere }) => (
    <li key={name}>{isThere ? <Link to={paths.dataset(name)}>{name}</Link> : `${name} (gone)`}</li>
  ))
  const rest = names.slice(namesShown)
  return (
    <>
      <ul className={classes.datasets}>{names.slice(0, namesShown)}</ul>
      {rest.length > 0 && (
        <Details summary={`${rest.length} more`}>
          <ul className={classes.datasets}>{rest}</ul>
        </Details>
      )}
    </>
  )
}
