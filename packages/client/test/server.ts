import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig, startServer } from '@vitrine/server'
import { issueLocalToken } from '@vitrine/server/local-token'
import { openStore } from '@vitrine/server/store'
import { oneFolder } from '../../server/test/engines.ts'
import { patient } from '../../server/test/patient.ts'
import { createTestDatabase } from '../../server/test/test-database.ts'

export type Server = {
  url: string
  /** An access token of `admin`. */
  token: string
  close: () => Promise<void>
}

/** The real server on a folder of its own, with its own provider. */
export async function startOwnServer(): Promise<Server> {
  const dataDir = mkdtempSync(join(tmpdir(), 'vitrine-'))
  await createTestDatabase(dataDir, oneFolder, 'account')
  const config = readConfig({
    VITRINE_DATA_DIR: dataDir,
    VITRINE_PORT: '0',
    VITRINE_LOG_LEVEL: 'silent',
  })
  const running = await startServer(config, patient)
  const { url } = running
  const store = await openStore(config)
  const token = await issueLocalToken(store, {
    username: 'admin',
    issuer: `${url}/realms/local`,
    audience: `${url}/api`,
    clientId: 'vitrine',
    scope: 'openid profile',
    seconds: 3600,
  })
  await store.close()
  return {
    url,
    token,
    close: async () => {
      await running.close()
      rmSync(dataDir, { recursive: true })
    },
  }
}
