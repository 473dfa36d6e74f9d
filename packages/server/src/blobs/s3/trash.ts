import type { Readable } from 'node:stream'
import { randomUUID } from 'node:crypto'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  paginateListObjectsV2,
  PutObjectCommand,
} from '@aws-sdk/client-s3'
import {
  type BlobOwner,
  type BlobTrash,
  type TrashedBlob,
  dayPattern,
  digestPattern,
} from '../blobs.ts'
import { copyObject } from './copy.ts'
import { type S3Bucket, isConflict, isMissing, keyOf, refuse, retryAccidents } from './bucket.ts'

/**
 * Keeps removed blobs under `trash/2026-11-22/abcdef…` beside the others.
 * @param partBytes what is larger is copied in parts of so many bytes
 */
export function trashInBucket(
  bucket: S3Bucket,
  remove: (sha256: string) => Promise<void>,
  partBytes?: number,
): BlobTrash {
  const { client, name: Bucket, prefix } = bucket
  const trash = `${prefix}trash/`
  const trashKey = ({ sha256, day }: Pick<TrashedBlob, 'sha256' | 'day'>) =>
    `${trash}${day}/${sha256}`

  return {
    put: async ({ sha256, size }, day) => {
      const from = keyOf(bucket, sha256)
      try {
        await copyObject(bucket, { from, to: trashKey({ sha256, day }), size }, partBytes)
      } catch (error) {
        if (isMissing(error)) return
        refuse(error)
      }
      await remove(sha256)
    },

    days: async () => {
      const days: string[] = []
      const pages = paginateListObjectsV2({ client }, { Bucket, Prefix: trash, Delimiter: '/' })
      try {
        for await (const { CommonPrefixes = [] } of pages) {
          days.push(...CommonPrefixes.map(({ Prefix }) => Prefix!.slice(trash.length, -1)))
        }
      } catch (error) {
        refuse(error)
      }
      return days.filter((day) => dayPattern.test(day)).toSorted()
    },

    list: async function* (day) {
      const folder = `${trash}${day}/`
      const pages = paginateListObjectsV2({ client }, { Bucket, Prefix: folder })
      try {
        for await (const { Contents = [] } of pages) {
          for (const { Key, Size } of Contents) {
            const sha256 = Key!.slice(folder.length)
            if (digestPattern.test(sha256)) yield { sha256, size: Size!, day }
          }
        }
      } catch (error) {
        refuse(error)
      }
    },

    open: async (trashed) => {
      const command = new GetObjectCommand({ Bucket, Key: trashKey(trashed) })
      const { Body } = await client.send(command).catch(refuse)
      return Body as Readable
    },

    restore: async (trashed) => {
      const { sha256, size } = trashed
      const from = trashKey(trashed)
      try {
        await copyObject(bucket, { from, to: keyOf(bucket, sha256), size }, partBytes)
        await client.send(new DeleteObjectCommand({ Bucket, Key: from }))
      } catch (error) {
        refuse(error)
      }
    },

    removeDay: async function (day) {
      for await (const trashed of this.list(day)) {
        const command = new DeleteObjectCommand({ Bucket, Key: trashKey(trashed) })
        await client.send(command).catch(refuse)
      }
    },
  }
}

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
