/** An input that names what is there; enough for calls that are refused before they do anything. */
export const there: Record<string, unknown> = {
  datasetId: 'people',
  itemId: 1,
  fieldName: 'name',
  importKey: 'none',
  format: 'ndjson',
  ids: [1],
  offset: 0,
  width: 96,
  key: 'there',
  tile: 'entries/000.p/1',
  from: 0,
  to: 1,
  tokenId: 1,
  deletedId: 1,
  grantId: 1,
  part: 0,
}
