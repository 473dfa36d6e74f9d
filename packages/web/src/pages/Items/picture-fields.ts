import type { DatasetInfo, ShownField } from '@vitrine/contract'

/** The fields that hold pictures; first the one that the description of the repository names as its cover. */
export function pictureFields({ schema, repo }: DatasetInfo): ShownField[] {
  const fields = schema.filter(({ type, mime = '' }) => type === 'binary' && /^image\//i.test(mime))
  const isCover = ({ name }: ShownField) => name === repo?.['cover']
  return [...fields.filter(isCover), ...fields.filter((field) => !isCover(field))]
}
