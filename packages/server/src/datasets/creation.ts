import type { DatasetInfo } from '@vitrine/contract'

/** What a creation did: whether the dataset is new, and what it is now. */
export type Creation = { created: boolean; info: DatasetInfo }
