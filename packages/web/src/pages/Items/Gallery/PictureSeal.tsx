import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { sha256 as hash } from '../../../data/sha256.ts'
import { DigestOutcome } from '../../../ui/DigestOutcome.tsx'
import { Hash } from '../../../ui/Hash.tsx'
import classes from './PictureSeal.module.css'

type Props = {
  /** The digest that the server gives. */
  sha256: string
  /** Loads the bytes of the picture, as received. */
  bytes: () => Promise<Blob>
}

/** Shows a picture's digest and a button that checks it against the received bytes. */
export function PictureSeal({ sha256, bytes }: Props) {
  const { mutate, isPending, data, error } = useMutation({
    mutationFn: async () => hash(await bytes(), { onProgress: () => {} }),
  })
  return (
    <div className={classes.seal}>
      <span>sha256</span>
      <Hash sha256={sha256} />
      <Button variant="subtle" size="compact-sm" onClick={() => mutate()} disabled={isPending}>
        Verify
      </Button>
      <output>
        {isPending && 'hashing…'}
        {error && <DigestOutcome digest={sha256} received={{ error: error.message }} />}
        {data !== undefined && <DigestOutcome digest={sha256} received={{ digest: data }} />}
      </output>
    </div>
  )
}
