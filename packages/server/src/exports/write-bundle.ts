import type { DatasetInfo } from '@vitrine/contract'
import { parseRowLists } from '@vitrine/rows/write/row-lists'
import { policyText } from '@vitrine/transparency-log'
import { reportDamage } from '../blobs/read-blob.ts'
import type { Snapshot } from '../reading/snapshot.ts'
import type { Visibility } from '../store/visibility.ts'
import { writeBundledItems } from './bundle-items.ts'
import { writeBundledLog } from './bundle-log.ts'
import { BundlePicks, isLimited } from './bundle-picks.ts'
import { bundledDatasets } from './bundled-datasets.ts'
import type { ExportContext } from './export-context.ts'
import { writeArchive, type ArchivePart } from './write-archive.ts'

/** A dataset as it was when its repository had `at` items. */
type BundleSource = { snapshot: Snapshot; info: DatasetInfo; at: number; visibility: Visibility }

/**
 * Writes a bundle (docs/bundles.md): a dataset with all that it refers to, and the logs that prove it. What is damaged
 * breaks the archive off.
 */
export function writeBundle(
  context: ExportContext,
  dataset: BundleSource,
): AsyncGenerator<Uint8Array> {
  return writeArchive(bundleParts(context, dataset), (error) => void reportDamage(context, error))
}

async function* bundleParts(
  context: ExportContext,
  { snapshot, info, at, visibility }: BundleSource,
): AsyncGenerator<ArchivePart> {
  const { store, logs, signer, blobs } = context
  const datasets = await bundledDatasets(context, info.name, visibility)
  const picks = new BundlePicks(store, datasets)
  const { repoId } = datasets.at(-1)!.readable
  const own = picks.of(repoId)
  if (info.view === undefined) own.addUpTo(at)
  else yield { path: 'members', bytes: writeMembers(snapshot, info.name, picks), compress: true }

  const described = new Map<string, object>()
  const files = new Map<string, number>()
  // Those that refer to others first: what is needed of a repository is known once they are written.
  for (const dataset of datasets.toReversed()) {
    const { name, repo, view } = dataset.info
    if (view !== undefined) {
      described.set(name, { kind: 'view', description: view })
      continue
    }
    const picked = picks.of(dataset.readable.repoId)
    if (!picked.isWhole) await picks.closeOwn(dataset)
    const isOwn = dataset.readable.repoId === repoId
    if (isOwn && picked.count > snapshot.count && isLimited(info, datasets)) picked.addUpTo(at)
    const state = await logs.find(name, isOwn ? at : picked.end)
    yield {
      path: `items/${name}.ndjson`,
      bytes: writeBundledItems(store, dataset, { picks, files }),
      compress: true,
    }
    yield { path: `log/${name}`, bytes: writeBundledLog(state, picked), compress: true }
    const policy = policyText(await signer.verifierKeyOf(state))
    yield { path: `tlog-policy/${name}`, bytes: one(Buffer.from(policy)), compress: true }
    described.set(name, {
      kind: 'repo',
      description: repo,
      items: picked.count,
      size: state.size,
      checkpoint: await signer.sign(state),
    })
  }
  for (const [sha256, size] of files) {
    const bytes = await blobs.open({ sha256, size })
    yield { path: `files/${sha256}`, bytes, compress: false }
  }
  const contents = {
    version: 1,
    dataset: info.name,
    at,
    key: signer.verifierKey,
    datasets: datasets.map((each) => described.get(each.info.name)),
  }
  const text = Buffer.from(`${JSON.stringify(contents, null, 2)}\n`)
  yield { path: 'bundle.json', bytes: one(text), compress: true }
}

/** Writes the ids of the items of a view in its order, one a line, and picks them. */
async function* writeMembers(
  snapshot: Snapshot,
  name: string,
  picks: BundlePicks,
): AsyncGenerator<Uint8Array> {
  for await (const window of snapshot.read(snapshot.count, [{ at: 0, presentAt: 0 }])) {
    const ids = parseRowLists(window).map(([id]) => Number(id))
    await picks.add(name, ids)
    yield Buffer.from(ids.map((id) => `${id}\n`).join(''))
  }
}

async function* one(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
