import { resolve } from 'node:path'
import type { DestinationStream } from 'pino'
import manifest from '../package.json' with { type: 'json' }
import { buildApp } from './app.ts'
import { openAuthority } from './access/authority.ts'
import type { Credentials } from './access/provider/accounts.ts'
import { localIssuer } from './access/provider/clients.ts'
import { openBlobs } from './blobs/open-blobs.ts'
import { requireOwnBlobs } from './blobs/require-own-blobs.ts'
import { ConfigError, type Config } from './config.ts'
import { usualDropGraceMs } from './datasets/dropped-data.ts'
import { describeStart } from './describe-start.ts'
import { usualJsonBodyMs } from './http/json-body.ts'
import { listen } from './http/listen.ts'
import { usualBounds, type LoadBounds } from './http/shed-load.ts'
import { healthChecks } from './upkeep/health/checks.ts'
import { watchHealth } from './upkeep/health/watch-health.ts'
import { CheckpointGuard, faultText } from './log/checkpoint-guard.ts'
import { openCheckpointSigner } from './log/checkpoint-signer.ts'
import { Logs } from './log/logs.ts'
import { openLog, type Log } from './open-log.ts'
import { lockInstallation } from './store/lock.ts'
import { ItemIds } from './store/item-ids.ts'
import { openStore } from './store/store.ts'
import { InvalidDatabase } from './store/invalid-database.ts'
import { openDecoder } from './pictures/decoder.ts'
import { SmallPictures } from './pictures/small-pictures.ts'
import { KnownRepos } from './inserts/known-repos.ts'
import { startScrub, type Scrub } from './upkeep/verify/scrub.ts'
import { startUpkeep, type Upkeep } from './upkeep/upkeep.ts'
import type { Budgets } from './listings/catch-up.ts'
import { SnapshotFiles, type SnapshotBounds } from './exports/snapshot-files.ts'
import { DatasetReader } from './reading/dataset-reader.ts'
import type { ExplorationBounds } from './listings/sweep-explorations.ts'

export { ConfigError, readConfig, type Config } from './config.ts'

const builtWeb = resolve(import.meta.dirname, '../../web/dist')

export type StartOptions = {
  /** The built web app. */
  webDir?: string
  /** Beyond which new requests are refused. */
  loadBounds?: LoadBounds
  /** How long a whole JSON body may take. */
  jsonBodyMs?: number
  /** How long what was deleted is still there for who reads it. */
  dropGraceMs?: number
  /** How long nothing may move on a connection before it is closed. */
  silenceMs?: number
  /** How long reads wait for what a view has not looked at yet. */
  viewBudgets?: Budgets
  /** How long from one check of the database, the blob store and the provider to the next. */
  healthEveryMs?: number
  /** How many times as long as it reads the scrub rests. */
  scrubRestShare?: number
  /** Destination of the log; standard output unless set. */
  logOutput?: DestinationStream
  /** How much is kept of what is asked of datasets beside their views. */
  explorationBounds?: ExplorationBounds
  /** How snapshots are made and kept. */
  snapshotBounds?: SnapshotBounds
  /** Opens the decoder of small pictures. */
  openPictures?: typeof openDecoder
}

export type RunningServer = {
  /** Public URL. */
  url: string
  /** The port that it listens on. */
  port: number
  /** The account to sign in with, when this start has made it. */
  firstAccount: Credentials | undefined
  say: Log['say']
  /** Sweeps and collects now, as otherwise every few minutes. */
  upkeep: Upkeep['run']
  /** Reads again what is due, as otherwise every few minutes. */
  scrub: Scrub['run']
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
    if (error instanceof InvalidDatabase) {
      throw new ConfigError(`${error.message} (VITRINE_DATABASE_URL)`, { cause: error })
    }
    throw error
  }
}

/** Opens everything in order; the owner of the stack closes it in reverse. */
async function open(
  config: Config,
  {
    webDir = builtWeb,
    loadBounds = usualBounds,
    jsonBodyMs = usualJsonBodyMs,
    dropGraceMs = usualDropGraceMs,
    silenceMs,
    viewBudgets,
    explorationBounds,
    snapshotBounds,
    openPictures = openDecoder,
    logOutput,
    healthEveryMs,
    scrubRestShare,
  }: StartOptions,
  opened: AsyncDisposableStack,
): Promise<RunningServer> {
  const lock = lockInstallation(config)
  if (lock === undefined) {
    throw new ConfigError(
      `Another process works on the data folder ${config.dataDir}: stop it, or set VITRINE_DATA_DIR to another folder.`,
    )
  }
  opened.defer(lock.release)
  const listening = await listen(config, { silenceMs })
  opened.defer(listening.close)
  const publicUrl = config.publicUrl ?? `http://localhost:${listening.port}`

  const { logger, say } = openLog(config.logLevel, logOutput)
  const issuer = config.oidc.authority ?? localIssuer(publicUrl)
  const { version } = manifest
  logger.info(describeStart(config, { version, issuer, url: publicUrl }), 'Vitrine starts')
  // Another process looks for the library, and a start does not wait for it.
  const decoder = openPictures({
    onCrash: (error) => logger.error({ err: error }, 'a picture could not be decoded'),
  })
  opened.defer(async () => {
    const result = await decoder
    if (!(result instanceof Error)) result.close()
  })
  const store = await openStore(config)
  opened.defer(store.close)
  const itemIds = new ItemIds(store)
  // Ids that cannot be given back are a gap.
  opened.defer(() => itemIds.close().catch(() => undefined))
  const blobs = await openBlobs(config)
  await requireOwnBlobs({ store, blobs }, config.blobs)
  // A single process need not wait until other writers are certain to be gone.
  if (config.database.engine === 'sqlite') await blobs.removeUnpublished({ olderThanMs: 0 })
  const datasets = new DatasetReader(store, {
    ...(viewBudgets && { budgets: viewBudgets }),
    ...(explorationBounds && { explorationBounds }),
    waitingMax: loadBounds.waiting,
    onError: (error) => logger.error({ err: error }, 'a view could not be caught up'),
  })
  opened.defer(() => datasets.stop())
  const snapshots = new SnapshotFiles(
    { store, blobs, datasets },
    {
      bytes: config.maxSnapshotBytes,
      bounds: snapshotBounds,
      waitingMax: loadBounds.waiting,
      onMade: (made) => logger.info(made, 'a snapshot was made'),
      onError: (error) => logger.error({ err: error }, 'a snapshot could not be made'),
    },
  )
  opened.defer(() => snapshots.stop())
  const authority = await openAuthority(config, { store, publicUrl, logger })
  const checks = healthChecks({ store, blobs, checkProvider: authority.check })
  const health = watchHealth(checks, { logger, everyMs: healthEveryMs })
  opened.defer(health.stop)
  const pictures = decoder.then((result) => {
    if (!(result instanceof Error)) return new SmallPictures(blobs, result)
    logger.warn({ err: result }, 'no small pictures are made')
    return undefined
  })
  const guard = await CheckpointGuard.open(store, blobs.checkpoints)
  const logs = new Logs(store, guard, {
    error: (error, repo) =>
      logger.error({ err: error, repo: repo?.name }, 'a log could not be brought up to date'),
    fault: (fault, repo) =>
      logger.error(
        { repo: repo?.name, fault: faultText(repo?.name, fault) },
        'a log cannot be signed',
      ),
  })
  opened.defer(() => logs.stop())
  const signer = await openCheckpointSigner(store, { publicUrl, guard })
  const app = await buildApp({
    config,
    publicUrl,
    version,
    authority,
    health,
    store,
    datasets,
    webDir,
    loadBounds,
    jsonBodyMs,
    dropGraceMs,
    insertContext: {
      store,
      blobs,
      repos: new KnownRepos(store),
      itemIds,
      deadlineMs: config.insertDeadlineSeconds * 1000,
      maxUploadBytes: config.maxUploadBytes,
    },
    snapshots,
    logs,
    signer,
    pictures,
    server: listening.server,
    logger,
  })
  opened.defer(() => app.close())
  await app.ready()
  const upkeep = startUpkeep({
    store,
    blobs,
    datasets,
    snapshots,
    logs,
    signer,
    logger,
    trashDays: config.trashDays,
    deletedDays: config.deletedDays,
  })
  opened.defer(upkeep.stop)
  const scrub = startScrub({ store, blobs, datasets, logger, restShare: scrubRestShare })
  opened.defer(scrub.stop)
  listening.answer((request, response) => app.routing(request, response))

  return {
    url: publicUrl,
    port: listening.port,
    firstAccount: authority.firstAccount,
    say,
    upkeep: upkeep.run,
    scrub: scrub.run,
    close: async () => {
      datasets.endWaits()
      snapshots.endWaits()
      void pictures.then((small) => small?.endWaits())
      // Requests that run need everything else, so the last that was opened is not the first to go.
      await listening.close()
      await opened.disposeAsync()
    },
  }
}
