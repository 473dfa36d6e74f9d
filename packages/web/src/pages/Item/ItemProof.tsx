import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { verifyItem } from '@vitrine/client'
import { Link } from 'react-router'
import { useApp } from '../../app-context.tsx'
import { createKnownLogs } from '../../data/known-logs.ts'
import { sha256 } from '../../data/sha256.ts'
import { paths } from '../../paths.ts'
import { ErrorBox } from '../../ui/ErrorBox.tsx'
import { Section } from '../../ui/Section.tsx'
import { ForgetLog } from '../ForgetLog.tsx'
import { ProofChecks, ProofOutcome } from '../ProofChecks.tsx'
import classes from '../ProofChecks.module.css'

type Props = {
  /** The repository that has the item, and whether it is another dataset that shows it. */
  repo: string
  isShownByView: boolean
  itemId: number
}

/** Proves here that an item is what was added, and that the signed log of its repository has it. */
export function ItemProof({ repo, isShownByView, itemId }: Props) {
  const { client } = useApp()
  const logs = createKnownLogs(localStorage)
  const proof = useMutation({
    mutationFn: async () => {
      const proven = await verifyItem(client, { repo, itemId }, { known: logs.find(repo), sha256 })
      if (proven.known !== undefined) logs.keep(repo, proven.known)
      return proven
    },
  })
  const failed = proof.data?.checks.filter(({ passed }) => passed === false) ?? []
  const isRewritten = failed.some(({ name }) => name === 'consistency')
  return (
    <div className={classes.proof}>
      <Section title="Proof">
        <p className={classes.intro}>
          The log of{' '}
          {isShownByView ? <Link to={paths.dataset(repo)}>{repo}</Link> : 'this repository'} has an
          entry of each item. This browser checks the entry, and that the log goes on from what it
          saw before.
        </p>
        <div className={classes.act}>
          <Button variant="default" onClick={() => proof.mutate()} disabled={proof.isPending}>
            Prove this item
          </Button>
          <output>
            {proof.isPending && 'checking…'}
            {proof.data && (
              <ProofOutcome
                isGood={failed.length === 0}
                text={
                  failed.length === 0 ? 'The item is what was added.' : 'The item is not proven.'
                }
              />
            )}
          </output>
        </div>
        {proof.error && <ErrorBox error={proof.error} onRetry={() => proof.mutate()} />}
        {proof.data && <ProofChecks checks={proof.data.checks} />}
        {isRewritten && <ForgetLog repo={repo} onForgotten={() => proof.mutate()} />}
      </Section>
    </div>
  )
}
