/** Bounds on what is sent, kept and answered. */
export const limits = {
  /** Entries on one page of every list in the web app. */
  pageSize: 20,
  /** The most entries that one request may ask for. */
  pageSizeMax: 1000,
  /** Texts of several items that one request may ask for, in bytes of UTF-8. */
  pageBytes: 32 * 1024 ** 2,
  /** Items that a preview of a view shows. */
  previewItems: 20,
  /** How far the items that pass a query are counted. */
  countMax: 10_000,
  /** Length of a search for datasets, in characters. */
  searchLength: 200,
  /** Items of all repositories that a search for them finds, and values that each shows beside its label. */
  foundItems: 10,
  foundValues: 2,
  /** Items whose labels have the words of a search, beyond which references to them are found by their labels. */
  searchedIds: 500,
  /** Pictures that a dataset in a list shows. */
  covers: 4,
  /** Fields that a dataset in a list names. */
  fieldNames: 12,
  /** Items whose labels, or replacements, one request may ask for. */
  labels: 100,
  /** A value that a small picture is made of, in bytes. */
  picturedBytes: 64 * 1024 ** 2,
  /** A picture that a small one is made of, in pixels. */
  picturedPixels: 100_000_000,
  /** Entries of other logs that one request may say that items come from, the request in bytes, and a checkpoint. */
  originEntries: 1000,
  originBytes: 2 * 1024 ** 2,
  checkpointLength: 2000,
  /** Code points of a text that a list in the web app shows; the filter for a longer one is too long for an address. */
  cut: 8000,
  /** Code points of a text that a page may be asked for. */
  cutMax: 100_000,
  /** How much of a label is answered, in code points. */
  labelLength: 200,
  /** The highest page number; page x pageSize stays below 2^53. */
  pageMax: 2 ** 40,
  /** The description of a view in YAML or JSON, in bytes of UTF-8. */
  descriptionBytes: 64 * 1024,
  /** The description of a repository, which has room for a readme. */
  repoDescriptionBytes: 160 * 1024,
  /** The readme of a repository, in bytes of UTF-8. */
  readmeBytes: 64 * 1024,
  /** The name of a personal access token, in UTF-16 code units. */
  tokenName: 100,
  /** How long such a token may live, in days, unless it does not expire. */
  tokenDays: 366,
  /** How many datasets such a token may name, unless it is for all. */
  tokenDatasets: 100,
  /** How long a signed link may live, in hours. */
  linkHours: 30 * 24,
  /** The reason of a correction, in UTF-16 code units. */
  reasonLength: 500,
  /** How deep a description may nest. */
  descriptionDepth: 32,
  /** Fields in one schema. */
  fields: 200,
  /** The longest `length` that a string field may declare, in code points. */
  stringLength: 1_000_000,
  /** `length` of a string field that declares none, in code points. */
  stringLengthDefault: 10_000,
  /** Choices of a string field. */
  choices: 1000,
  /** The canonical text of a JSON value, in bytes of UTF-8. */
  jsonValueBytes: 1024 ** 2,
  /** How deep a JSON value may nest. */
  jsonValueDepth: 64,
  /** References that one path follows. */
  pathSteps: 8,
  /** Keys that one view is ordered by. */
  orderKeys: 8,
  /** Parts of one split. */
  splitParts: 100,
  /** Greatest sum of the weights of one split. */
  splitWeight: 1_000_000,
  /** The salt of a split, in characters. */
  splitSalt: 200,
  /** One row of a file that is imported, with its line break, in bytes. */
  rowBytes: 16 * 1024 ** 2,
  /** How deep a row of NDJSON may nest. */
  rowDepth: 100,
  /** Items that one request may add. */
  addedItems: 256,
  /** The body of such a request, in bytes. */
  addedItemsBytes: 4 * 1024 ** 2,
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

/** Text of the YAML editors before anything is typed. */
export const emptyDescription = '---'
