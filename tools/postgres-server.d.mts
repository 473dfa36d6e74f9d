export function hasPostgres(): boolean
/** Starts a PostgreSQL in a temporary folder; `isDurable` when what it commits is to survive the machine. */
export function startPostgres(options?: { isDurable?: boolean }): Promise<{
  env: { VITRINE_TEST_DATABASE_URL: string }
  stop: () => Promise<void>
}>
