import { useMutation } from '@tanstack/react-query'
import type { DatasetDamage, DatasetProgress } from '@vitrine/client'
import { useEffect, useRef, useState } from 'react'
import { useApp } from '../../app-context.tsx'
import { createKnownLogs } from '../../data/known-logs.ts'
import { verifyInWorker } from '../../data/verify-in-worker.ts'

/** Damage that is listed; of the rest there is the number. */
const listedMax = 100

const atStart = { progress: undefined, damage: [], damaged: 0 }

type ProofState = {
  progress: DatasetProgress | undefined
  damage: DatasetDamage[]
  /** Number of damaged values, the first of which are in `damage`. */
  damaged: number
}

/** Verifies a dataset, or a file that was exported of it, with what was found so far; it ends with the screen. */
export function useDatasetProof(datasetId: string) {
  const { client, features } = useApp()
  const [state, setState] = useState<ProofState>(atStart)
  const [isStopped, setIsStopped] = useState(false)
  const stopping = useRef(new AbortController())
  useEffect(() => () => stopping.current.abort(), [])
  const proof = useMutation({
    mutationFn: async (exported: Blob | undefined) => {
      stopping.current = new AbortController()
      setState(atStart)
      setIsStopped(false)
      return verifyInWorker(
        client,
        { datasetId, hasLog: features.includes('log'), exported },
        {
          logs: createKnownLogs(localStorage),
          signal: stopping.current.signal,
          onProgress: (progress) => setState((last) => ({ ...last, progress })),
          onDamage: (one) =>
            setState(({ damage, damaged, progress }) => ({
              progress,
              damage: damage.length < listedMax ? [...damage, one] : damage,
              damaged: damaged + 1,
            })),
        },
      )
    },
  })
  return {
    ...state,
    proof,
    isStopped,
    stop: () => {
      setIsStopped(true)
      stopping.current.abort()
    },
  }
}
