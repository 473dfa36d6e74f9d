/** Business constants: specification §9, and the bounds that design.md leaves to us. */
export const limits = {
  /** Entries on one page of every list in the web app. */
  pageSize: 20,
  /** The most entries that one request may ask for. */
  pageSizeMax: 1000,
  /** Items that a preview of a view shows. */
  previewItems: 20,
  /** How far the items that pass a query are counted. */
  countMax: 10_000,
  /** The highest page number; page x pageSize stays below 2^53. */
  pageMax: 2 ** 40,
  /** A description in YAML or JSON, in bytes of UTF-8. */
  descriptionBytes: 64 * 1024,
  /** How deep a description may nest. */
  descriptionDepth: 32,
  /** Fields in one schema. */
  fields: 200,
  /** The longest `length` that a string field may declare, in code points. */
  stringLength: 1_000_000,
  /** `length` of a string field that declares none, in code points. */
  stringLengthDefault: 10_000,
  /** References that one path follows. */
  pathSteps: 8,
  /** Keys that one view is ordered by. */
  orderKeys: 8,
  /** Parts of one split. */
  splitParts: 100,
  /** What the weights of one split add up to at most. */
  splitWeight: 1_000_000,
  /** The salt of a split, in characters. */
  splitSalt: 200,
  /** One row of a file that is imported, with its line break, in bytes. */
  rowBytes: 16 * 1024 ** 2,
  /** How deep a row of NDJSON may nest. */
  rowDepth: 100,
  /** Problems of one row that are reported one by one. */
  rowProblems: 20,
  /** Columns of a file that is imported. */
  columns: 10_000,
  /** Files in an archive that is imported. */
  archiveFiles: 1_000_000,
  /** Problems that one refusal names. */
  problems: 100,
  /** The address and the headers of a request together, in bytes. */
  headerBytes: 16 * 1024,
  /** A JSON request body, in bytes. */
  jsonBytes: 256 * 1024,
} as const

/** What the YAML editors hold before anything is typed (specification §9). */
export const emptyDescription = '---'
