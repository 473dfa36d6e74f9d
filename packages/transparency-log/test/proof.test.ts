import { createHash } from 'node:crypto'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  consistencyPath,
  emptyRoot,
  inclusionPath,
  leafHash,
  middleOf,
  nodeHash,
  ProofError,
  rootByInclusion,
  rootsByConsistency,
  TreeBuilder,
  type Range,
} from '../src/index.ts'

const leaves = await Promise.all(
  Array.from({ length: 70 }, (_, at) => leafHash(new TextEncoder().encode(`entry ${at}`))),
)

/** The definition of RFC 6962 §2.1, over leaves that are hashed already. */
async function rootOf(range: Range): Promise<Uint8Array> {
  if (range.to - range.from === 1) return leaves[range.from]!
  const middle = middleOf(range)
  return nodeHash(
    await rootOf({ from: range.from, to: middle }),
    await rootOf({ from: middle, to: range.to }),
  )
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const treeOf = (size: number) => rootOf({ from: 0, to: size })

test('hashes leaves, nodes and nothing as RFC 6962 defines them', async () => {
  const sha256 = (...parts: (string | Uint8Array)[]) =>
    parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest('hex')
  expect(hex(await leafHash(new TextEncoder().encode('a')))).toBe(sha256('\x00a'))
  expect(hex(await nodeHash(leaves[0]!, leaves[1]!))).toBe(sha256('\x01', leaves[0]!, leaves[1]!))
  expect(emptyRoot).toBe(sha256())
})

test(
  'proves each leaf of trees of each size, and none with what was altered',
  { tags: 'long' },
  async () => {
    for (let size = 1; size <= leaves.length; size += 1) {
      const root = hex(await treeOf(size))
      for (const index of [0, Math.floor(size / 2), size - 1]) {
        const hashes = await Promise.all(inclusionPath(index, size).map(rootOf))
        const proof = { index, size, leaf: leaves[index]!, hashes }
        expect(hex(await rootByInclusion(proof))).toBe(root)
        const other = await rootByInclusion({ ...proof, leaf: leaves[69]!.map((byte) => byte ^ 1) })
        expect(hex(other)).not.toBe(root)
        await expect(
          rootByInclusion({ ...proof, hashes: [...hashes, leaves[0]!] }),
        ).rejects.toThrow(ProofError)
      }
    }
  },
)

test(
  'proves that trees go on where smaller ones ended, for each pair of sizes',
  { tags: 'long' },
  async () => {
    const roots = await Promise.all(leaves.map((_, at) => treeOf(at + 1)))
    await fc.assert(
      fc.asyncProperty(fc.nat(69), fc.nat(69), fc.nat(20), async (a, b, altered) => {
        const [before, size] = [Math.min(a, b) + 1, Math.max(a, b) + 1]
        const hashes = await Promise.all(consistencyPath(before, size).map(rootOf))
        const proof = { before, size, root: roots[before - 1]!, hashes }
        const proven = await rootsByConsistency(proof)
        expect(hex(proven.before)).toBe(hex(roots[before - 1]!))
        expect(hex(proven.now)).toBe(hex(roots[size - 1]!))
        if (hashes.length === 0) return
        const spoilt = hashes.with(
          altered % hashes.length,
          hashes[altered % hashes.length]!.map((byte) => byte ^ 1),
        )
        const wrong = await rootsByConsistency({ ...proof, hashes: spoilt })
        expect(`${hex(wrong.before)}${hex(wrong.now)}`).not.toBe(
          `${hex(roots[before - 1]!)}${hex(roots[size - 1]!)}`,
        )
        await expect(rootsByConsistency({ ...proof, hashes: hashes.slice(1) })).rejects.toThrow(
          ProofError,
        )
      }),
    )
  },
)

test('collects the root of leaves that come one after the other', async () => {
  const builder = new TreeBuilder()
  for (const [at, leaf] of leaves.entries()) {
    await builder.add(leaf)
    expect(hex(await builder.root())).toBe(hex(await treeOf(at + 1)))
  }
})
