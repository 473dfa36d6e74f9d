export * from './api/api.ts'
export {
  auditBeginning,
  auditDetails,
  auditedActs,
  AuditChain,
  type AuditHead,
  auditText,
  recordedCheckpoints,
  type AuditedAct,
  type AuditEntry,
  type AuditFilters,
  type AuditQuery,
  type RecordedCheckpoint,
  type WhoAmI,
} from './api/audit.ts'
export * from './api/call.ts'
export * from './api/correction.ts'
export { castFields, castsOf, castTypes, castValue, readCast, type CastType } from './view/cast.ts'
export { checkView, checkViewDescription } from './view/check-view.ts'
export type { CheckedView, ViewClauses } from './view/check-view.ts'
export { compareText, countCodePoints, tooLongText, invalidText } from './text/text.ts'
export { compareRepos } from './repo/compare-repos.ts'
export { idMatches } from './repo/correcting-rows.ts'
export type { Comparison, Operand } from './view/comparison.ts'
export { logicNames, type Condition } from './view/condition.ts'
export type { DamageEntry } from './api/replies.ts'
export * from './api/dataset.ts'
export * from './api/dataset-search.ts'
export * from './api/dataset-diff.ts'
export * from './api/dataset-state.ts'
export { restoration, type DeletedDataset } from './api/deleted.ts'
export * from './api/digest.ts'
export * from './api/errors.ts'
export * from './view/exploration.ts'
export * from './api/export.ts'
export * from './repo/field.ts'
export * from './text/fold-case.ts'
export * from './text/fold-search.ts'
export * from './view/path-to-repo.ts'
export { type DatasetGrowth, datasetGrowth } from './api/replies.ts'
export * from './api/import.ts'
export * from './api/item.ts'
export * from './api/item-addition.ts'
export { itemLabel, labelField, labelText, type LabelledItem } from './api/item-label.ts'
export type { FoundItem, FoundItems } from './api/item-search.ts'
export * from './limits.ts'
export * from './api/log-calls.ts'
export * from './api/log-origin.ts'
export { isMapping } from './view/mapping.ts'
export * from './values/media-type.ts'
export { parseMoment } from './text/moment.ts'
export * from './text/natural-order.ts'
export * from './text/nearest.ts'
export * from './api/openapi.ts'
export { operators, operatorsFor, type Operator, type OperatorName } from './view/operators.ts'
export { parseOrderKey, type OrderKey } from './view/order.ts'
export { fieldsAlong, isRowField, resolvePath, rowFields } from './view/path.ts'
export type { Path, Resolve, ResolvedPath, RowField } from './view/path.ts'
export type { Clause, Literal, Predicate, Subject, Test } from './view/predicate.ts'
export type { Person } from './api/replies.ts'
export * from './api/picture.ts'
export * from './api/preview.ts'
export * from './problems.ts'
export type { DatasetChange, ItemOrigin, Provenance } from './api/provenance.ts'
export { queryText } from './api/query-text.ts'
export { noId, readId } from './repo/names.ts'
export { changeText, type RepoChange } from './repo/repo-change.ts'
export * from './repo/repo-description.ts'
export {
  metadataFields,
  metadataKeys,
  type MetadataKey,
  type RepoMetadata,
} from './repo/repo-metadata.ts'
export * from './api/role.ts'
export type { DatasetAccess, Grant, NewGrant } from './api/grant.ts'
export type { CreatedLink, LinkInfo, NewLink } from './api/link.ts'
export * from './api/runtime.ts'
export * from './api/scan-progress.ts'
export * from './view/searched-where.ts'
export type { Snapshot } from './api/snapshot.ts'
export { splitKey, splitPart, type Split, type SplitPart } from './view/split.ts'
export { splitPoint, splitText } from './view/split-point.ts'
export * from './api/summary.ts'
export * from './api/token.ts'
export { isWebAddress } from './values/url.ts'
export {
  canonicalText,
  comparedType,
  describeType,
  fieldTypes,
  isFieldType,
  textOf,
  typeOf,
  valueOf,
  valueTypes,
} from './values/index.ts'
export type { Measure, ValueType } from './values/index.ts'
export { canonicalJson, plainText, type Json } from './values/canonical-json.ts'
export type { CellKind, Read, TextForm, ValueScale } from './values/type-definition.ts'
export { baseOf, viewDescription, type ViewDescription } from './view/view-description.ts'
export type { PickedField, ViewField } from './view/view-fields.ts'
export * from './view/with-schemas.ts'
