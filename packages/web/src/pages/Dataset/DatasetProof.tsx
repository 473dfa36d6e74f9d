import { Button, FileButton } from '@mantine/core'
import type { DatasetDamage } from '@vitrine/client'
import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { ErrorBox } from '../../ui/ErrorBox.tsx'
import { ProgressBar } from '../../ui/ProgressBar.tsx'
import { Section } from '../../ui/Section.tsx'
import { ForgetLog } from '../ForgetLog.tsx'
import { ProofChecks, ProofOutcome } from '../ProofChecks.tsx'
import classes from '../ProofChecks.module.css'
import { useDatasetProof } from './use-dataset-proof.ts'

type Props = { datasetId: string; isView: boolean }

/** Reads a whole dataset here, or a file that was exported of it, and compares it with the signed log. */
export function DatasetProof({ datasetId, isView }: Props) {
  const { proof, progress, damage, damaged, isStopped, stop } = useDatasetProof(datasetId)
  const { checks = [], log } = proof.data ?? {}
  const isGood = checks.every(({ passed }) => passed !== false)
  const isRewritten = checks.some(({ name, passed }) => name === 'consistency' && passed === false)
  const ofFile = proof.variables !== undefined
  const what = ofFile ? 'file' : 'dataset'
  const count = (number: number) => number.toLocaleString('en')
  return (
    <Section title="Proof">
      <p className={classes.intro}>
        This browser reads every value, computes its digest, and compares each item with the signed
        log of {isView ? 'the repository that has it' : 'the repository'}.{' '}
        {!isView && 'So it does with a file that was exported as NDJSON with digests.'}
      </p>
      <div className={classes.act}>
        <Button
          variant="default"
          onClick={() => proof.mutate(undefined)}
          disabled={proof.isPending}
        >
          Verify this dataset
        </Button>
        {!isView && (
          <FileButton
            accept=".ndjson,.jsonl"
            inputProps={{ 'aria-label': 'An export of this dataset' }}
            onChange={(file) => file !== null && proof.mutate(file)}
          >
            {(props) => (
              <Button variant="default" disabled={proof.isPending} {...props}>
                Verify an export…
              </Button>
            )}
          </FileButton>
        )}
        {proof.isPending && (
          <Button variant="default" onClick={stop}>
            Stop
          </Button>
        )}
        <output>
          {proof.data && (
            <ProofOutcome
              isGood={isGood}
              text={isGood ? `The ${what} is what was added.` : `The ${what} is not proven.`}
            />
          )}
          {isStopped && `Stopped after ${count(progress?.items ?? 0)} items.`}
        </output>
      </div>
      {proof.isPending && (
        <ProgressBar
          label="Verifying"
          done={progress?.items ?? 0}
          total={progress?.total ?? Infinity}
        >
          {count(progress?.items ?? 0)}
          {progress?.total !== undefined && ` of ${count(progress.total)}`} items
        </ProgressBar>
      )}
      {proof.error && !isStopped && (
        <ErrorBox error={proof.error} onRetry={() => proof.mutate(proof.variables)} />
      )}
      {proof.data && <ProofChecks checks={checks} />}
      {damage.length > 0 && (
        <ul aria-label="Damage" className={classes.damage}>
          {damage.map((one) => (
            <li key={JSON.stringify(one)}>
              <DamagePlace datasetId={datasetId} damage={one} /> {one.what}
            </li>
          ))}
          {damaged > damage.length && <li>and {count(damaged - damage.length)} more</li>}
        </ul>
      )}
      {isRewritten && log !== undefined && (
        <ForgetLog repo={log.repo} onForgotten={() => proof.mutate(proof.variables)} />
      )}
    </Section>
  )
}

function DamagePlace({ datasetId, damage }: { datasetId: string; damage: DatasetDamage }) {
  if ('log' in damage) return <span>The log:</span>
  return (
    <>
      <Link to={paths.item(datasetId, damage.item)}>Item {damage.item}</Link>
      {'field' in damage && `, ${damage.field}`}:
    </>
  )
}
