import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  UploadPartCopyCommand,
  type CompletedPart,
} from '@aws-sdk/client-s3'
import type { S3Bucket } from './bucket.ts'

/**
 * Size above which a copy is made in parts: a store replies to a copy when it is done, and one request copies 5 GiB at
 * most (https://docs.aws.amazon.com/AmazonS3/latest/API/API_CopyObject.html).
 */
const wholeMax = 512 * 1024 ** 2

type Copy = { from: string; to: string; size: number }

/** Copies an object within its bucket; the bytes stay in the store. */
export async function copyObject(
  bucket: S3Bucket,
  copy: Copy,
  partBytes: number = wholeMax,
): Promise<void> {
  if (copy.size > partBytes) return copyInParts(bucket, copy, partBytes)
  const { client, name } = bucket
  const CopySource = sourceOf(bucket, copy)
  await client.send(new CopyObjectCommand({ Bucket: name, Key: copy.to, CopySource }))
}

async function copyInParts(bucket: S3Bucket, copy: Copy, partBytes: number): Promise<void> {
  const { client, name } = bucket
  const target = { Bucket: name, Key: copy.to }
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(target))
  const upload = { ...target, UploadId }
  try {
    const Parts: CompletedPart[] = []
    for (let at = 0; at < copy.size; at += partBytes) {
      const PartNumber = Parts.length + 1
      const last = Math.min(at + partBytes, copy.size) - 1
      const { CopyPartResult } = await client.send(
        new UploadPartCopyCommand({
          ...upload,
          PartNumber,
          CopySource: sourceOf(bucket, copy),
          CopySourceRange: `bytes=${at}-${last}`,
        }),
      )
      Parts.push({ PartNumber, ETag: CopyPartResult?.ETag })
    }
    const MultipartUpload = { Parts }
    await client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload }))
  } catch (error) {
    await client.send(new AbortMultipartUploadCommand(upload)).catch(() => {})
    throw error
  }
}

/** Keys have no characters that would need to be escaped (`prefixPattern` of the address). */
function sourceOf({ name }: S3Bucket, { from }: Copy): string {
  return `${name}/${from}`
}
