import { useMutation } from '@tanstack/react-query'
import { toHex } from '@vitrine/contract'
import { Hash } from '../ui/Hash.tsx'
import { VerifyResult } from '../ui/VerifyResult.tsx'
import classes from './Sealed.module.css'

type Props = {
  /** The digest from the server; undefined when it gave none, and nothing is shown. */
  sha256: string | undefined
  /** The bytes of the value, as received. */
  bytes: () => Promise<BufferSource>
}

/** Shows a value's digest and a button that checks it against the received bytes. */
export function Sealed({ sha256, bytes }: Props) {
  const verification = useMutation({
    mutationFn: async () => toHex(await crypto.subtle.digest('SHA-256', await bytes())),
  })
  if (sha256 === undefined) return null
  return (
    <div className={classes.sealed}>
      <span>sha256</span>
      <Hash sha256={sha256} />
      <VerifyResult
        status={verification.status}
        matches={verification.data === sha256}
        found={verification.data}
        error={verification.error}
        onVerify={() => verification.mutate()}
      />
    </div>
  )
}
