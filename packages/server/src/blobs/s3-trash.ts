import { DeleteObjectCommand, GetObjectCommand, paginateListObjectsV2 } from '@aws-sdk/client-s3'
import type { Readable } from 'node:stream'
import { dayPattern, digestPattern, type BlobTrash, type TrashedBlob } from './blobs.ts'
import { copyObject } from './s3-copy.ts'
import { keyOf, type S3Bucket } from './s3-bucket.ts'
import { isMissing, refuse } from './s3-failure.ts'

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
