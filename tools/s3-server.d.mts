/** Builds the S3 server, once; false where that cannot be done. */
export function installS3Server(): boolean
/** Starts an S3 server with an empty bucket. */
export function startS3Server(): Promise<{
  env: {
    VITRINE_TEST_BLOB_URL: string
    AWS_ACCESS_KEY_ID: string
    AWS_SECRET_ACCESS_KEY: string
  }
  stop: () => Promise<void>
}>
