export {
  addItem,
  type AddItemOptions,
  type AddItemProgress,
  type AddItemStep,
  type NewValue,
} from './insert/add-item.ts'
export * from './insert/add-items.ts'
export * from './insert/correct-item.ts'
export * from './verify/bundle-contents.ts'
export {
  bundledCorrections,
  bundledEntries,
  bundledItemsAt,
  countBundledCorrections,
} from './verify/bundled-state.ts'
export { ApiError, requestAborted } from './call/api-error.ts'
export { createClient, openReply } from './call/client.ts'
export type { CallInput, CallReply, Client } from './call/client.ts'
export * from './call/delete-dataset.ts'
export * from './files/export-dataset.ts'
export * from './files/import-file.ts'
export { type ImportSource, SourceError } from './files/import-parts.ts'
export type { ItemsOptions } from './call/items.ts'
export * from './verify/item-proof.ts'
export * from './verify/known-log.ts'
export { repoOfView } from './verify/repo-of-view.ts'
export type { LogDamage } from './verify/log-verifier.ts'
export { type Row, rowsOf } from './call/rows-of.ts'
export { callUrl, type CallOptions, type ClientOptions } from './call/send.ts'
export { sha256, type Sha256 } from './sha256.ts'
export type { Upload, UploadRequest } from './insert/upload-form.ts'
export * from './verify/verify-audit.ts'
export * from './verify/verify-bundle.ts'
export * from './verify/verify-dataset.ts'
export { type ItemChecks, verifyItem } from './verify/verify-item.ts'
