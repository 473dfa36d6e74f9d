/**
 * The rooms of each package and what they may import: folders right below `src`, and files that stand there by
 * themselves. `check-rooms.mjs` holds imports to it, and docs/ARCHITECTURE.md shows it.
 */

/**
 * @typedef {{
 *   about: string,
 *   others?: string,
 *   isForBrowsers?: boolean,
 *   rooms?: Record<string, [about: string, imports: string]>,
 *   owners?: Record<string, string>,
 * }} Package
 * `others`: the packages that it may import. `*` may import every room of its package. A file of a room is written
 * `room:file`. `owners`: libraries that some rooms alone may import.
 */

const operations = 'datasets exports imports inserts log reading'
const webGround = 'app-context data paths roles styles theme ui'

/** @type {Record<string, Package>} */
export const packages = {
  contract: {
    about: 'the shared language: calls, entities, descriptions, errors, limits; no I/O',
    others: '',
    isForBrowsers: true,
    rooms: {
      index: ['what the other packages import', '*'],
      api: [
        'each call in one table (`api.ts`), its replies, the errors, features, OpenAPI',
        'limits problems repo text values view',
      ],
      view: [
        'descriptions of views: paths, conditions, operators, orders, splits',
        'api limits problems repo text values zod-parts',
      ],
      repo: [
        'descriptions of repositories, and what a change of one may be',
        'api limits problems text values zod-parts',
      ],
      values: [
        'a file a value type: what it holds, its canonical text, its operators',
        'api limits problems repo text view',
      ],
      text: ['folding, comparing, nearest names', ''],
      problems: ['what is wrong with a description, as a sentence', 'api text'],
      limits: ['every bound, with its unit', ''],
      'zod-parts': ['parts of schemas', 'values'],
    },
  },
  rows: {
    about:
      'rows in files: read, described and written by browser, threads of the server and command line alike',
    others: 'contract',
    isForBrowsers: true,
    rooms: {
      'read-rows': ['the rows of a file of any format', 'parquet reading row-batch text workbook'],
      parquet: ['reads Parquet', 'column-names row-batch invalid-value unpacked-bound'],
      text: [
        'reads CSV, TSV, JSON and NDJSON; finds out how they are written',
        'column-names description-text reading row-batch row-block unpacked-bound',
      ],
      workbook: [
        'reads workbooks',
        'column-names reading row-batch row-block text text-of unpacked-bound',
      ],
      describe: [
        'a description of what a file holds',
        'description-text detect-mime file-format read-rows reading row-batch text-of invalid-value workbook',
      ],
      write: ['writes each format', 'parquet text workbook'],
      reading: ['options of reading a file', ''],
      'row-batch': ['rows and what is wrong with them, as readers yield them', 'reading'],
      'row-block': ['the rows of a block of text', ''],
      'column-names': ['names of columns as they stand in a file', ''],
      'description-text': ['a description as YAML', ''],
      'detect-mime': ['the media type of bytes', ''],
      'file-format': ['the format of a file by its name and its first bytes', ''],
      'scalar-text': ['a scalar of a format as text', ''],
      'text-of': ['a cell as text', ''],
      'invalid-value': ['a value that a format has and no field can hold', ''],
      'unpacked-bound': ['the bound on what a file unpacks to', ''],
    },
  },
  'sha256-lanes': {
    about: 'the vector sha256 of short values, with test vectors and a README',
    others: '',
  },
  'transparency-log': {
    about: 'Merkle trees, proofs and signed checkpoints, in public formats',
    others: '',
    isForBrowsers: true,
  },
  client: {
    about:
      'typed client for browsers and Node: one method a call, the three-step insert, verification',
    others: 'contract transparency-log',
    isForBrowsers: true,
    rooms: {
      index: ['what the package exports', '*'],
      call: ['a method for each call of the table: sending, reading replies, retry', ''],
      insert: ['adding items, with their values hashed on the way', 'call sha256'],
      files: ['importing and exporting files', 'call'],
      verify: [
        'checks items, datasets and bundles against the log of their repository',
        'call files sha256',
      ],
      sha256: ['the digest of a stream', 'call'],
      'parse-description': ['a description in YAML', ''],
    },
  },
  server: {
    about: 'the server, on Fastify',
    others: 'contract rows sha256-lanes transparency-log',
    rooms: {
      main: ['the program', '*'],
      start: ['starts and stops an installation', '*'],
      app: ['puts the parts of a server together', '*'],
      http: [
        'the way of a request: routes (a file a family of calls), binding, error replies, multipart, static files',
        `access blobs config failure pictures runtime store upkeep:health/checks upkeep:health/watch-health ${operations}`,
      ],
      access: [
        'who is it, and what may they: bearer check, personal access tokens; `provider/` is the built-in OpenID provider',
        'config failure runtime store',
      ],
      datasets: [
        'create, delete, take back and remove repositories and views; extend repositories',
        'access:identity failure reading store values',
      ],
      inserts: [
        'begin, upload, commit; corrections',
        'access:identity blobs failure reading runtime store values',
      ],
      imports: [
        'files of rows: received in parts, checked in threads, published at once',
        'access:identity blobs failure reading runtime store values',
      ],
      exports: [
        'datasets as files, read as they were at one moment; snapshots, which are made once',
        'blobs failure listings log reading runtime store values',
      ],
      log: [
        'the log of each repository: tiles, proofs, signed checkpoints',
        'blobs failure runtime store',
      ],
      pictures: [
        'small pictures of values, made in processes of their own',
        'blobs failure runtime',
      ],
      reading: [
        'pages, counts, items, explorations, previews; `search/` in datasets and items, `summaries/` of fields',
        'failure language listings runtime search-index store values',
      ],
      listings: [
        'which items belong to a view, cached and caught up',
        'failure language runtime search-index store',
      ],
      'search-index': [
        'where in a repository there may be items with some texts',
        'language runtime store',
      ],
      language: [
        'a description as SQL: predicates, joins along paths, splits, sort keys',
        'failure store values',
      ],
      values: ['how a value type conforms, sorts, and stands in files', 'blobs failure store'],
      store: [
        'all tables and their queries, migrations, group commit; `sqlite/` and `postgres/` below it',
        'failure runtime',
      ],
      blobs: [
        'bytes by digest: `files/`, `s3/`, whose they are, collection, the trash',
        'config failure runtime store',
      ],
      upkeep: [
        'what looks after an installation: sweeps, `health/`, `verify/`, `doctor/`, `installation/` (backup, restore, copy)',
        `access blobs config describe-start failure listings runtime store values ${operations}`,
      ],
      runtime: ['threads and memory: worker pool, LRU cache, byte budget, garbage collection', ''],
      config: ['the settings, from variables', 'store'],
      failure: ['an error of the catalogue, thrown', ''],
      'describe-start': ['an installation in the words of its settings', 'config store'],
      'open-log': ['the log of a process', ''],
    },
    owners: {
      fastify: 'access app health http start upkeep',
      '@fastify': 'http',
      kysely: 'language listings reading store values',
      pg: 'store',
      'node:sqlite': 'store',
      '@aws-sdk': 'blobs',
      sharp: 'pictures',
    },
  },
  web: {
    about: 'the web app, on React',
    others: 'contract rows client',
    isForBrowsers: true,
    rooms: {
      main: ['the program', '*'],
      Root: ['waits for the session, then shows the router', '*'],
      router: ['which page an address has', '*'],
      'create-app': ['makes what every screen uses', 'app-context auth data palette'],
      StartFailed: ['shown where nothing could be loaded', 'ui'],
      pages: [
        'a folder a screen: the page, its parts, its styles',
        `${webGround} auth describe drafts explore export files layout palette values`,
      ],
      layout: ['what surrounds every page', `${webGround} auth palette`],
      export: [
        'the formats, saving a stream as a file, programs to copy',
        `${webGround} explore palette`,
      ],
      explore: [
        'filters and orders on items: the address, chips, the form, saving as a view',
        `${webGround} describe palette values`,
      ],
      describe: [
        'writing a description: form, YAML editor, completion, preview, from data',
        `${webGround} drafts files values`,
      ],
      files: ['choosing files, and the values of an item for each of them', `${webGround} values`],
      values: [
        'a file or folder a value type: how it is edited, shown and put into a cell',
        webGround,
      ],
      drafts: ['what was typed, stored until it is taken', webGround],
      palette: ['finding and commands by keyboard', webGround],
      auth: ['the session', 'app-context ui'],
      data: [
        'queries, hashing in a worker; `rows/` reads the first rows of a file',
        'auth:session paths',
      ],
      roles: ['what whoever is signed in may do', 'app-context'],
      'app-context': ['what every component may use', 'auth data palette'],
      ui: ['components that know nothing of datasets', ''],
      paths: ['the addresses of screens', ''],
      styles: ['style sheets of all screens', ''],
      theme: ['colors and sizes of Mantine', ''],
    },
  },
  cli: {
    about: 'the command line: one file a command',
    others: 'contract rows client server',
    rooms: {
      main: ['the program', '*'],
      run: ['runs a command, and says why one has failed', '*'],
      commands: ['every command, in the order of the help', '*'],
      usage: ['help', 'command commands'],
      completion: ['completion for three shells', 'command'],
      explain: ['what a failure means, with its exit code', 'command'],
      datasets: ['what one does with datasets and items', 'command sign-in'],
      bulk: ['import, export, verify, push', 'command datasets installation sign-in'],
      installation: ['serve, backup, restore, copy, doctor, verify --data', 'command'],
      trash: ['the trash, adopting a blob store', 'command'],
      users: ['accounts of the built-in provider', 'command'],
      demo: ['demo data', 'command sign-in users'],
      'sign-in': ['login and logout; tokens, stored and renewed', 'command'],
      command: ['a command and its input and output: terminal, tables, files, progress', ''],
    },
    // Only commands that work on a data folder or a database know the server.
    owners: { '@vitrine/server': 'demo explain installation trash users' },
  },
}
