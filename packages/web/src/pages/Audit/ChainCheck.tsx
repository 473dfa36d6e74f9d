import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { openReply } from '@vitrine/client'
import { useApp } from '../../app-context.tsx'
import { ErrorBox } from '../../ui/ErrorBox.tsx'
import { checkChain } from '../../data/check-chain.ts'
import classes from './AuditPage.module.css'

/** Computes here whether the log is a chain without a gap: what it says, not what the server says of it. */
export function ChainCheck() {
  const { client } = useApp()
  const check = useMutation({
    mutationFn: async () => checkChain((await openReply(client, 'auditExport', {})).body!),
  })
  const { data } = check
  return (
    <div className={classes.check}>
      <Button variant="default" disabled={check.isPending} onClick={() => check.mutate()}>
        Check the chain
      </Button>
      <output>
        {check.isPending && 'checking…'}
        {data && 'fault' in data && <strong className={classes.bad}>{data.fault}</strong>}
        {data && 'head' in data && (
          <span className={classes.good}>
            {data.head.number.toLocaleString()}{' '}
            {data.head.number === 1 ? 'entry follows' : 'entries follow'} from the first one on.
            <span title={`sha256 ${data.head.hash}`}>
              {' '}
              The last is {data.head.hash.slice(0, 8)}….
            </span>
          </span>
        )}
      </output>
      {check.error !== null && <ErrorBox error={check.error} />}
    </div>
  )
}
