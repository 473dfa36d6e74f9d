import { installPostgres } from './postgres-server.mjs'
import { installS3Server } from './s3-server.mjs'

if (!installS3Server()) {
  console.error(
    'The S3 server could not be built. It needs Go 1.25 or newer, and a Go module proxy.',
  )
  process.exitCode = 1
}
if (!installPostgres()) {
  console.error('PostgreSQL could not be installed. It needs apt-get, or install it by hand.')
  process.exitCode = 1
}
