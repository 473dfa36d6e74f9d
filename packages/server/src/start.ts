import { resolve } from 'node:path'
import { pino } from 'pino'
import manifest from '../package.json' with { type: 'json' }
import { buildApp } from './app.ts'
import { openAuthority } from './auth/authority.ts'
import type { Credentials } from './auth/local/accounts.ts'
import { openFileBlobs } from './blobs/files.ts'
import { ConfigError, type Config } from './config.ts'
import { listen } from './http/listen.ts'
import { usualBounds, type LoadBounds } from './http/shed-load.ts'
import { lockDataDir } from './store/lock.ts'
import { openStore } from './store/store.ts'
import { startUpkeep, type Upkeep } from './upkeep.ts'
import type { Budgets } from './views/answer.ts'
import { Datasets } from './views/datasets.ts'

export { ConfigError, readConfig, type Config } from './config.ts'

const builtWeb = resolve(import.meta.dirname, '../../web/dist')

export type StartOptions = {
  /** The built web app. */
  webDir?: string
  /** Beyond which new requests are refused. */
  loadBounds?: LoadBounds
  /** How long reads wait for what a view has not looked at yet. */
  viewBudgets?: Budgets
}

export type RunningServer = {
  /** Where people reach it. */
  url: string
  /** The port that it listens on. */
  port: number
  /** The account to sign in with, when this start has made it. */
  firstAccount: Credentials | undefined
  /** Sweeps and collects now, as otherwise every few minutes. */
  upkeep: Upkeep['run']
  /** Stops accepting, finishes running requests, and lets go of the data folder. */
  close: () => Promise<void>
}

/**
 * Starts the server of one installation.
 * @throws ConfigError when it cannot, in sentences for the person who starts it
 */
export async function startServer(
  config: Config,
  options: StartOptions = {},
): Promise<RunningServer> {
  const opened = new AsyncDisposableStack()
  try {
    return await open(config, options, opened)
  } catch (error) {
    await opened.disposeAsync()
    throw error
  }
}

/** Opens one thing after the other; whoever gave the stack closes them in the other order. */
async function open(
  config: Config,
  { webDir = builtWeb, loadBounds = usualBounds, viewBudgets }: StartOptions,
  opened: AsyncDisposableStack,
): Promise<RunningServer> {
  const lock = lockDataDir(config.dataDir)
  if (lock === undefined) {
    throw new ConfigError(
      `Another process works on the data folder ${config.dataDir}: stop it, or set VITRINE_DATA_DIR to another folder.`,
    )
  }
  opened.defer(lock.release)
  const listening = await listen(config)
  opened.defer(listening.close)
  const publicUrl = config.publicUrl ?? `http://localhost:${listening.port}`

  const logger = pino(
    { level: config.logLevel, base: undefined },
    pino.destination({ dest: 1, sync: false }),
  )
  const store = await openStore(config)
  opened.defer(store.close)
  const blobs = await openFileBlobs(config.blobDir)
  await blobs.removeUnpublished()
  const datasets = new Datasets(store, {
    ...(viewBudgets && { budgets: viewBudgets }),
    onError: (error) => logger.error({ err: error }, 'a view could not be caught up'),
  })
  opened.defer(() => datasets.stop())
  const authority = await openAuthority(config, { store, publicUrl })
  const app = await buildApp({
    config,
    publicUrl,
    version: manifest.version,
    authority: authority.issuer,
    store,
    datasets,
    authenticate: authority.authenticate,
    provider: authority.routes,
    webDir,
    loadBounds,
    inserting: {
      store,
      blobs,
      deadlineMs: config.insertDeadlineSeconds * 1000,
      maxUploadBytes: config.maxUploadBytes,
    },
    server: listening.server,
    logger,
  })
  opened.defer(() => app.close())
  await app.ready()
  const upkeep = startUpkeep({ store, blobs, logger })
  opened.defer(upkeep.stop)
  listening.answer((request, response) => app.routing(request, response))

  return {
    url: publicUrl,
    port: listening.port,
    firstAccount: authority.firstAccount,
    upkeep: upkeep.run,
    close: async () => {
      // Requests that run need everything else, so the last that was opened is not the first to go.
      await listening.close()
      await opened.disposeAsync()
    },
  }
}
