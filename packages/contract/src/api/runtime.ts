import * as z from 'zod/mini'

/**
 * Features beyond the sixteen calls; `guarded-delete` is the refusal to delete what others refer to,
 * `account` a page at `{authority}/account` where people change their own account,
 * `roles` that not everybody signed in may do everything: `datasetRole` and `mayCreate` say what somebody may, and the
 * calls about grants who may what;
 * `tokens` the calls about personal access tokens, which are taken as well.
 */
export const features = [
  'preview',
  'explore',
  'partial',
  'import',
  'export',
  'guarded-delete',
  'damage',
  'types',
  'extend',
  'search',
  'labels',
  'summary',
  'q',
  'q-labels',
  'export-explored',
  'growth',
  'neighbours',
  'media',
  'log',
  'authors',
  'states',
  'diff',
  'corrections',
  'current',
  'import-match',
  'import-corrections',
  'tokens',
  'links',
  'add-item',
  'add-items',
  'audit',
  'audit-log',
  'deleted',
  'bundles',
  'export-xlsx',
  'export-arrow',
  'snapshots',
  'origins',
  'small-pictures',
  'cut',
  'item-search',
  'roles',
  'account',
] as const
export type Feature = (typeof features)[number]

/** The reply of `GET /config.json`, by which the web app and the command line find their server. `features` may be empty. */
export const runtimeConfig = z.object({
  apiBaseUrl: z.string(),
  authority: z.string(),
  clientId: z.string(),
  /** The client that the command line is; the web app's where nothing is said. */
  cliClientId: z.optional(z.string()),
  scope: z._default(z.string(), 'openid'),
  /** The largest value that the server takes; nothing is said where it sets no bound. */
  maxUploadBytes: z.optional(z.number()),
  /** Features that another server announces beyond these are left out. */
  features: z._default(z.pipe(z.array(z.string()), z.transform(knownFeatures)), []),
})
export type RuntimeConfig = z.infer<typeof runtimeConfig>

function knownFeatures(announced: string[]): Feature[] {
  return features.filter((feature) => announced.includes(feature))
}
