import {
  DeleteObjectCommand,
  GetObjectCommand,
  PutObjectCommand,
  paginateListObjectsV2,
} from '@aws-sdk/client-s3'
import { randomUUID } from 'node:crypto'
import type { BlobOwner } from './blobs.ts'
import { retryAccidents } from './retry-accidents.ts'
import type { S3Bucket } from './s3-bucket.ts'
import { isConflict, isMissing, refuse } from './s3-failure.ts'

/** Keeps the id of the installation in the object `installation` beside the blobs. */
export function ownerInBucket(bucket: S3Bucket): BlobOwner {
  const { client, name, prefix } = bucket
  const target = { Bucket: name, Key: `${prefix}installation` }

  const read = async () => {
    try {
      return await retryAccidents(async () => {
        const { Body } = await client.send(new GetObjectCommand(target))
        return (await Body!.transformToString()).trim()
      })
    } catch (error) {
      return isMissing(error) ? undefined : refuse(error)
    }
  }

  return {
    read,
    claim: async (id) => {
      const withdraw = await announceClaim(bucket, id)
      // In this order: who claims withdraws only after the id is there.
      const rival = await findRival(bucket, id)
      const owner = (await read()) ?? rival
      if (owner === undefined) {
        try {
          await client.send(new PutObjectCommand({ ...target, Body: `${id}\n`, IfNoneMatch: '*' }))
        } catch (error) {
          // The store may carry out later what it did not answer: the claim stays.
          if (!isConflict(error)) refuse(error)
        }
      }
      const settled = owner ?? (await read()) ?? id
      await withdraw()
      return settled
    },
    replace: async (id) => {
      await client.send(new PutObjectCommand({ ...target, Body: `${id}\n` })).catch(refuse)
    },
  }
}

const claimsOf = ({ prefix }: S3Bucket): string => `${prefix}installation-claims/`

/**
 * Says that an installation is about to put its id. Some stores ignore `If-None-Match`; but of two that each
 * say so first and then look for others, one at least sees the other.
 * @returns what withdraws the claim
 */
async function announceClaim(bucket: S3Bucket, id: string): Promise<() => Promise<void>> {
  const { client, name: Bucket } = bucket
  const claim = { Bucket, Key: `${claimsOf(bucket)}${id}.${randomUUID()}` }
  await client.send(new PutObjectCommand(claim)).catch(refuse)
  return async () => {
    await client.send(new DeleteObjectCommand(claim)).catch(refuse)
  }
}

/** Returns another installation that claims the bucket now. */
async function findRival(bucket: S3Bucket, id: string): Promise<string | undefined> {
  const folder = claimsOf(bucket)
  const pages = paginateListObjectsV2(bucket, { Bucket: bucket.name, Prefix: folder })
  try {
    for await (const { Contents = [] } of pages) {
      for (const { Key } of Contents) {
        const [claimant] = Key!.slice(folder.length).split('.')
        if (claimant !== id) return claimant
      }
    }
  } catch (error) {
    refuse(error)
  }
  return undefined
}
