import {
  type DatasetChange,
  type StateInfo,
  type LabelledItem,
  itemLabel,
  limits,
} from '@vitrine/contract'
import { fail } from '../../failure.ts'
import type { DatasetReader } from '../../reading/dataset-reader.ts'
import { DatasetSearch } from '../../reading/search/dataset-search.ts'
import { ItemSearch } from '../../reading/search/item-search.ts'
import { identityKey } from '../../access/identity.ts'
import type { Roles } from '../../access/roles.ts'
import { type Handlers, disconnectSignal } from '../route.ts'
import { listExtensions } from '../../store/audit-log.ts'
import { readDatasetState } from '../../store/dataset-states.ts'
import {
  findDataset,
  findDatasetById,
  findRepoId,
  labelSource,
  readDatasetInfo,
} from '../../store/datasets.ts'
import { listDatasets, listViews } from '../../store/dataset-rows.ts'
import type { Db, Store } from '../../store/store.ts'
import { hasSuperseded } from '../../store/superseded.ts'
import { createRepo } from '../../datasets/create-repo.ts'
import { deleteDataset } from '../../datasets/delete-dataset.ts'
import type { DroppedData } from '../../datasets/dropped-data.ts'
import { extendRepo } from '../../datasets/extend-repo.ts'
import { createView, previewView } from '../../datasets/create-view.ts'

type DatasetReads =
  | 'datasetList'
  | 'datasetSearch'
  | 'itemSearch'
  | 'datasetGet'
  | 'datasetRole'
  | 'datasetState'
  | 'datasetDiff'

export function datasetHandlers(
  store: Store,
  { datasets, roles }: { datasets: DatasetReader; roles: Roles },
): Pick<Handlers, DatasetReads> {
  const { reads } = store
  const search = new DatasetSearch(store, datasets)
  const itemSearch = new ItemSearch(store, datasets)
  return {
    datasetList: ({ query, visibility }) => {
      datasets.warmUp()
      return listDatasets(reads, query, visibility)
    },
    datasetSearch: ({ query, visibility }) => {
      datasets.warmUp()
      return search.find(query, visibility)
    },
    itemSearch: ({ query, identity, visibility, reply }) => {
      const owner = identityKey(identity)
      return itemSearch.find({ ...query, owner, visibility, signal: disconnectSignal(reply) })
    },
    datasetGet: async ({ params: { datasetId }, query: { at }, visibility }) => {
      const dataset = await findDataset(reads, datasetId)
      if (dataset === undefined) throw fail('DATASET_NOT_FOUND')
      const info = await readDatasetInfo(reads, dataset, visibility)
      const repoId = await findRepoId(reads, datasetId)
      const isReplaced = repoId !== undefined && (await hasSuperseded(reads, repoId))
      return {
        ...info,
        ...(isReplaced && { hasReplacements: true as const }),
        ...(at !== undefined && { state: await requireState(reads, datasetId, at) }),
      }
    },
    datasetRole: async ({ params, identity }) => {
      const access = await roles.find(identity, params.datasetId)
      if (access === undefined) throw fail('DATASET_NOT_FOUND')
      const { datasetId: _, ...role } = access
      return role
    },
    datasetState: ({ params, query }) => requireState(reads, params.datasetId, query.at),
    datasetDiff: async ({ params: { datasetId }, query, reply }) => {
      const from = await requireState(reads, datasetId, query.from)
      const to = await requireState(reads, datasetId, query.to)
      const options = { signal: () => disconnectSignal(reply) }
      const diff = await datasets.diff(datasetId, { ...query, from: from.at, to: to.at }, options)
      if (diff === undefined) throw fail('DATASET_NOT_FOUND')
      return { from, to, ...diff, extensions: await readExtensions(reads, datasetId, { from, to }) }
    },
  }
}

/** @throws Failure DATASET_NOT_FOUND, STATE_NOT_FOUND */
async function requireState(db: Db, name: string, at?: number): Promise<StateInfo> {
  const state = await readDatasetState(db, name, at)
  if (state === undefined) throw fail('DATASET_NOT_FOUND')
  if (state.at > state.size) throw fail('STATE_NOT_FOUND', { totalItems: state.size })
  return state
}

/**
 * Reads the extensions of a repository between two states, from the last item of the earlier one to the first that the
 * later one has not; none of a view, which has the fields of its definition.
 */
async function readExtensions(
  db: Db,
  name: string,
  { from, to }: { from: StateInfo; to: StateInfo },
): Promise<DatasetChange[]> {
  const dataset = await findDataset(db, name)
  if (dataset?.kind !== 'repo') return []
  const next = to.at < to.size ? await readDatasetState(db, name, to.at + 1) : undefined
  const range = { from: from.createdAt, to: next?.createdAt }
  const extensions = await listExtensions(db, dataset.id, range)
  return extensions.map(({ number, at, what, by, details }) => ({ number, at, what, by, details }))
}

export function repoHandlers(
  store: Store,
  { droppedData, roles, rests }: { droppedData: DroppedData; roles: Roles; rests: boolean },
): Pick<Handlers, 'repoList' | 'repoCreate' | 'repoExtend' | 'repoDelete'> {
  return {
    repoList: ({ query, visibility }) =>
      listDatasets(store.reads, { ...query, kind: 'repo' }, visibility),
    repoCreate: async ({ body, identity, visibility, reply }) => {
      const { created, info } = await createRepo(store, body, { identity, visibility })
      if (!created) reply.code(200)
      return info
    },
    repoExtend: async ({ params, body, identity, visibility }) => {
      const access = await roles.find(identity, params.datasetId)
      const by = { identity, access, visibility }
      const info = await extendRepo(store, params.datasetId, body, by)
      // Orders that were made otherwise are not needed any more.
      droppedData.wake()
      return info
    },
    repoDelete: async ({ params, identity, visibility }) => {
      const access = await roles.find(identity, params.datasetId)
      const by = { identity, access, visibility }
      await deleteDataset(store, 'repo', params.datasetId, { ...by, rests })
      droppedData.wake()
    },
  }
}

export function viewHandlers(
  store: Store,
  {
    datasets,
    droppedData,
    roles,
    rests,
  }: { datasets: DatasetReader; droppedData: DroppedData; roles: Roles; rests: boolean },
): Pick<Handlers, 'viewList' | 'viewCreate' | 'viewPreview' | 'viewDelete'> {
  return {
    viewList: ({ query, visibility }) => listViews(store.reads, query, visibility),
    viewCreate: async ({ body, identity, visibility, reply }) => {
      const { created, info } = await createView(store, body, { identity, visibility })
      if (created) await datasets.begin(info.name)
      else reply.code(200)
      return info
    },
    viewPreview: ({ body, visibility }) =>
      previewView(store, datasets, { input: body, visibility }),
    viewDelete: async ({ params, identity, visibility }) => {
      const access = await roles.find(identity, params.datasetId)
      const by = { identity, access, visibility }
      await deleteDataset(store, 'view', params.datasetId, { ...by, rests })
      droppedData.wake()
    },
  }
}

export function labelHandlers(
  { reads }: Store,
  datasets: DatasetReader,
): Pick<Handlers, 'datasetLabelList'> {
  return {
    datasetLabelList: async ({ params, query, reply }) => {
      const dataset = await datasets.find(params.datasetId, query.at)
      const stored = dataset && (await findDatasetById(reads, dataset.id))
      if (dataset === undefined || stored === undefined) throw fail('DATASET_NOT_FOUND')
      const source = labelSource(stored)
      const signal = () => disconnectSignal(reply)
      const items = await Promise.all(
        query.ids.map((id) => dataset.items.get(id, { signal }, limits.cut)),
      )
      return items.flatMap(({ value: item }): LabelledItem[] => {
        if (item === undefined) return []
        const label = itemLabel(source, item)
        return [{ id: item.id, ...(label !== undefined && { label }) }]
      })
    },
  }
}
