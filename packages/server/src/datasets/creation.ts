import type { DatasetInfo } from '@vitrine/contract'

/** The result of a creation: whether the dataset is new, and its info. */
export type Creation = { created: boolean; info: DatasetInfo }
