import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { verifyAuditLog } from '@vitrine/client'
import { useApp } from '../../app-context.tsx'
import { createKnownLogs } from '../../data/known-logs.ts'
import { sha256 } from '../../data/sha256.ts'
import { ErrorBox } from '../../ui/ErrorBox.tsx'
import { ForgetLog } from '../ForgetLog.tsx'
import { ProofChecks, ProofOutcome } from '../ProofChecks.tsx'
import classes from './AuditPage.module.css'

/**
 * Computes here whether the log is a chain without a gap, the one that the server signs, and the one that this browser
 * verified before: what it says, not what the server says of it.
 */
export function ChainCheck() {
  const { client, features } = useApp()
  const isSigned = features.includes('audit-log')
  const check = useMutation({
    mutationFn: async () => {
      const logs = createKnownLogs(localStorage)
      const known = logs.find(undefined)
      const verified = await verifyAuditLog(client, { sha256, isSigned, known })
      if (verified.known !== undefined) logs.keep(undefined, verified.known)
      return verified
    },
  })
  const { head, checks = [] } = check.data ?? {}
  const isGood = checks.every(({ passed }) => passed !== false)
  const isRewritten = checks.some(({ name, passed }) => name === 'consistency' && passed === false)
  return (
    <div>
      <div className={classes.check}>
        <Button variant="default" disabled={check.isPending} onClick={() => check.mutate()}>
          Check the chain
        </Button>
        <output>
          {check.isPending && 'checking…'}
          {check.data && (
            <ProofOutcome
              isGood={isGood}
              text={isGood ? 'The log is what was written.' : 'The log is not proven.'}
            />
          )}
          {head && (
            <span title={`sha256 ${head.hash}`}> The last is {head.hash.slice(0, 8)}….</span>
          )}
        </output>
      </div>
      {check.data && <ProofChecks checks={checks} />}
      {isRewritten && <ForgetLog repo={undefined} onForgotten={() => check.mutate()} />}
      {check.error !== null && <ErrorBox error={check.error} />}
    </div>
  )
}
