/** The server on which tests make databases; without it they run on SQLite. */
export const postgresUrl = process.env['VITRINE_TEST_DATABASE_URL']

/** An address of S3 that tests may fill; without it they run on files. */
export const s3Url = process.env['VITRINE_TEST_BLOB_URL']

/** Engines of an installation's rows and bytes. */
export type Engines = { database: 'sqlite' | 'postgres'; blobs: 'files' | 's3' }

/** Engines of an installation that is one folder. */
export const oneFolder: Engines = { database: 'sqlite', blobs: 'files' }

/** Those that the environment chooses for all tests. */
export const chosenEngines: Engines = {
  database: postgresUrl === undefined ? 'sqlite' : 'postgres',
  blobs: s3Url === undefined ? 'files' : 's3',
}
