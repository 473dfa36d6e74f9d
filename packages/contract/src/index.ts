export * from './api.ts'
export {
  auditBeginning,
  auditDetails,
  auditedActs,
  auditFault,
  auditText,
  type AuditedAct,
  type AuditEntry,
  type AuditFilters,
  type AuditQuery,
  type WhoAmI,
} from './audit.ts'
export * from './call.ts'
export { castFields, castsOf, castTypes, castValue, readCast, type CastType } from './cast.ts'
export { checkView, checkViewDescription } from './check-view.ts'
export type { CheckedView, ViewClauses } from './check-view.ts'
export * from './code-points.ts'
export { compareRepos } from './compare-repos.ts'
export * from './compare-text.ts'
export type { Comparison, Operand } from './comparison.ts'
export { logicNames, type Condition } from './condition.ts'
export type { DamageEntry } from './damage.ts'
export * from './dataset.ts'
export * from './dataset-search.ts'
export * from './dataset-state.ts'
export { restoration, type DeletedDataset } from './deleted.ts'
export * from './digest.ts'
export * from './errors.ts'
export * from './exploration.ts'
export * from './export.ts'
export * from './field.ts'
export * from './fold-case.ts'
export * from './fold-search.ts'
export * from './ground-path.ts'
export * from './growth.ts'
export * from './import.ts'
export * from './item.ts'
export * from './item-addition.ts'
export { itemLabel, labelField, labelText, type LabelledItem } from './item-label.ts'
export type { FoundItem, FoundItems } from './item-search.ts'
export * from './limits.ts'
export * from './log-calls.ts'
export { isMapping } from './mapping.ts'
export * from './media-type.ts'
export { parseMoment } from './moment.ts'
export * from './natural-order.ts'
export * from './nearest.ts'
export * from './openapi.ts'
export { operators, operatorsFor, type Operator, type OperatorName } from './operators.ts'
export { parseOrderKey, type OrderKey } from './order.ts'
export { fieldsAlong, isRowField, resolvePath, rowFields } from './path.ts'
export type { Path, Resolve, ResolvedPath, RowField } from './path.ts'
export type { Clause, Literal, Predicate, Subject, Test } from './predicate.ts'
export type { Person } from './person.ts'
export * from './picture.ts'
export * from './preview.ts'
export { problemText } from './problem-text.ts'
export * from './problems.ts'
export type { DatasetChange, ItemOrigin, Provenance } from './provenance.ts'
export { queryText } from './query-text.ts'
export * from './read-id.ts'
export { changeText, type RepoChange } from './repo-change.ts'
export * from './repo-description.ts'
export {
  metadataFields,
  metadataKeys,
  type MetadataKey,
  type RepoMetadata,
} from './repo-metadata.ts'
export * from './runtime.ts'
export * from './scan-progress.ts'
export * from './searched-where.ts'
export type { Snapshot } from './snapshot.ts'
export { splitKey, splitPart, type Split, type SplitPart } from './split.ts'
export * from './split-point.ts'
export * from './summary.ts'
export * from './token.ts'
export * from './unfit-text.ts'
export * from './unknown-name.ts'
export { isWebAddress } from './values/url.ts'
export {
  canonicalText,
  comparedType,
  describeType,
  textOf,
  typeOf,
  valueOf,
  valueTypes,
} from './values/index.ts'
export type { Measure, ValueType } from './values/index.ts'
export { canonicalJson, plainText, type Json } from './values/canonical-json.ts'
export type { CellKind, Read, TextForm } from './values/type-definition.ts'
export { baseOf, viewDescription, type ViewDescription } from './view-description.ts'
export type { PickedField, ViewField } from './view-fields.ts'
export * from './with-schemas.ts'
