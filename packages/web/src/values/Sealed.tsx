import { useMutation } from '@tanstack/react-query'
import { toHex } from '@vitrine/contract'
import { Hash } from '../ui/Hash.tsx'
import { Verdict } from '../ui/VerifyResult.tsx'
import classes from './Sealed.module.css'

type Props = {
  /** The digest that the server gives; without it there is nothing to verify. */
  sha256: string | undefined
  /** The bytes of the value as the browser received them. */
  bytes: () => Promise<BufferSource>
}

/** A value's digest, and Verify: whether the bytes that arrived here have it. */
export function Sealed({ sha256, bytes }: Props) {
  const verification = useMutation({
    mutationFn: async () => toHex(await crypto.subtle.digest('SHA-256', await bytes())),
  })
  if (sha256 === undefined) return null
  return (
    <div className={classes.sealed}>
      <span>sha256</span>
      <Hash sha256={sha256} />
      <Verdict
        status={verification.status}
        matches={verification.data === sha256}
        found={verification.data}
        error={verification.error}
        onVerify={() => verification.mutate()}
      />
    </div>
  )
}
