import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import * as z from 'zod/mini'
import { type CheckpointStore, type CheckpointState, digestPattern } from '../blobs.ts'
import { type S3Bucket, isConflict, isMissing, refuse, retryAccidents } from './bucket.ts'

const signedState = z.object({
  size: z.int().check(z.nonnegative()),
  root: z.string().check(z.regex(digestPattern)),
})

/**
 * Keeps the state of each log in the object `checkpoints/GENERATION`, as JSON; `checkpoints/created` tells a store that
 * has none yet from one that was lost. A put has the condition that nobody else has put meanwhile. Where a store
 * ignores conditions, two processes that sign at the same moment both put theirs (docs/decisions/blobs.md).
 */
export function checkpointsInBucket({ client, name: Bucket, prefix }: S3Bucket): CheckpointStore {
  const target = (name: string) => ({ Bucket, Key: `${prefix}checkpoints/${name}` })

  const read = async (name: string) => {
    try {
      return await retryAccidents(async () => {
        const { Body, ETag } = await client.send(new GetObjectCommand(target(name)))
        return { text: await Body!.transformToString(), version: ETag ?? '' }
      })
    } catch (error) {
      return isMissing(error) ? undefined : refuse(error)
    }
  }

  return {
    isThere: async () => (await read('created')) !== undefined,

    create: async () => {
      const command = new PutObjectCommand({ ...target('created'), Body: '{}\n' })
      await client.send(command).catch(refuse)
    },

    find: async (log) => {
      const object = await read(log)
      return object && { ...stateOf(object.text), version: object.version }
    },

    replace: async (log, before, { size, root }) => {
      const condition = before === undefined ? { IfNoneMatch: '*' } : { IfMatch: before.version }
      const Body = `${JSON.stringify({ size, root })}\n`
      try {
        await client.send(new PutObjectCommand({ ...target(log), Body, ...condition }))
        return true
      } catch (error) {
        // The first try may have been the one that put it: whoever reads it finds that out.
        return isConflict(error) ? false : refuse(error)
      }
    },
  }
}

/** @throws Error where somebody else has written to the object */
function stateOf(text: string): CheckpointState {
  return signedState.parse(JSON.parse(text))
}
