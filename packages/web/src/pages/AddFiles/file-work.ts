import { addItem, ApiError, createClient, type Client } from '@vitrine/client'
import type { ShownField } from '@vitrine/contract'
import { sha256 as hashValue } from '../../data/sha256.ts'
import type { FileWork } from './file-queue.ts'
import { valuesOf, type ValueSources } from '../../files/value-source.ts'

type Target = {
  repo: string
  schema: readonly ShownField[]
  sources: ValueSources
  maxBytes: number | undefined
}

/**
 * Statuses of a commit that did not happen and never will: the insert is unknown or its deadline has passed,
 * or the upload is refused.
 */
const uncommitted = [404, 422]

/** Makes files items of a repository. */
export function createFileWork(client: Client, target: Target): FileWork {
  // A commit that was lost is sent again before it is called unanswered.
  const patient = createClient({ ...client.options, retries: 3 })
  return {
    values: (chosen) => {
      const made = valuesOf(chosen, target.schema, target)
      if ('problem' in made) throw new Error(made.problem)
      return made.values
    },
    hash: (file, signal) => hashValue(file, { signal, onProgress: () => {} }),
    add: (chosen, values, { sha256, signal, onSent, onCommit }) => {
      // The one that was hashed already: the file, or the same as a stream of octets.
      const file = Object.values(values).find((value) => value instanceof Blob)
      return addItem(patient, target.repo, values, {
        signal,
        sha256: async (value, options) => {
          if (value !== file) return hashValue(value, options)
          options.onProgress(value.size)
          return sha256
        },
        onProgress: (event) => {
          if (event.step === 'upload') onSent(Math.min(event.sentBytes, chosen.file.size))
          if (event.step === 'commit') onCommit({ itemId: event.id, integrity: event.integrity })
        },
      })
    },
    commitAgain: async ({ itemId, integrity }, signal) => {
      try {
        const body = { integrity }
        const { id } = await patient.insertCommit(
          { datasetId: target.repo, itemId, body },
          { signal },
        )
        return id
      } catch (error) {
        if (error instanceof ApiError && uncommitted.includes(error.status)) return undefined
        throw error
      }
    },
  }
}
