import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import type { BlobOwner } from './blobs.ts'
import type { S3Bucket } from './s3-bucket.ts'
import { isConflict, isMissing, refuse } from './s3-failure.ts'

/** Keeps the id of the installation in the object `installation` beside the blobs. */
export function ownerInBucket({ client, name, prefix }: S3Bucket): BlobOwner {
  const target = { Bucket: name, Key: `${prefix}installation` }

  const read = async () => {
    try {
      const { Body } = await client.send(new GetObjectCommand(target))
      return (await Body!.transformToString()).trim()
    } catch (error) {
      return isMissing(error) ? undefined : refuse(error)
    }
  }

  return {
    read,
    claim: async (id) => {
      try {
        await client.send(new PutObjectCommand({ ...target, Body: `${id}\n`, IfNoneMatch: '*' }))
      } catch (error) {
        if (!isConflict(error)) refuse(error)
      }
      return (await read()) ?? id
    },
    replace: async (id) => {
      await client.send(new PutObjectCommand({ ...target, Body: `${id}\n` })).catch(refuse)
    },
  }
}
