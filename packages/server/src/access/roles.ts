import {
  type CallRole,
  type EveryoneRole,
  type GroupRole,
  type Person,
  type Role,
  type RoleSource,
  fitsPattern,
  includesRole,
} from '@vitrine/contract'
import { fail } from '../failure.ts'
import { LruCache } from '../runtime/lru-cache.ts'
import { datasetVersionFinder, isSameVersion } from '../store/datasets.ts'
import {
  findStoredRoles,
  listOwners,
  storedRolesFinder,
  type StoredRoles,
} from '../store/grants.ts'
import { findPerson } from '../store/people.ts'
import type { Db, Store, Transaction } from '../store/store.ts'
import type { Visibility, VisibilityByRoles } from '../store/visibility.ts'
import type { Administrators } from './administrators.ts'
import { type Access, type Identity, identityKey } from './identity.ts'

/** How many owners are named to whoever may not do something. */
const namedOwners = 10

/** How many people's roles on datasets are cached. */
const cachedMax = 10_000

/** Decides by roles what people may do on datasets (docs/roles.md). */
export class Roles {
  readonly #store: Pick<Store, 'reads' | 'version'>
  readonly #findStored: ReturnType<typeof storedRolesFinder>
  readonly #findCurrent: ReturnType<typeof datasetVersionFinder>
  readonly #cache = new LruCache<string, CachedRoles>(cachedMax)
  /** Role of everybody on a dataset that says nothing else. */
  readonly everyone: EveryoneRole
  /** Roles of groups by the configuration. */
  readonly groupRoles: readonly GroupRole[]
  readonly #administrators: Administrators

  constructor(
    store: Pick<Store, 'reads' | 'prepare' | 'version'>,
    {
      everyone,
      groupRoles = [],
      administrators,
    }: {
      everyone: EveryoneRole
      groupRoles?: readonly GroupRole[]
      administrators: Administrators
    },
  ) {
    this.#store = store
    this.#findStored = storedRolesFinder(store)
    this.#findCurrent = datasetVersionFinder(store)
    this.everyone = everyone
    this.groupRoles = groupRoles
    this.#administrators = administrators
  }

  /** Whether some may do less than others. */
  get areOn(): boolean {
    return this.everyone !== 'owner'
  }

  /** Whether somebody is a contributor of every dataset, whatever its name is to be. */
  mayCreate(identity: Identity): boolean {
    return (
      identity.datasets === undefined &&
      (includesRole(this.everyone, 'contributor') ||
        this.#administrators.has(identity) ||
        this.#groupRolesOf(identity).some(
          ({ role, pattern }) => pattern === '*' && includesRole(role, 'contributor'),
        ))
    )
  }

  /** Says which datasets somebody may read, for queries that look at more than one. */
  visibilityOf(identity: Identity): Visibility {
    const visibility = this.#visibilityByRoles(identity)
    return identity.datasets === undefined ? visibility : { among: identity.datasets, visibility }
  }

  #visibilityByRoles(identity: Identity): VisibilityByRoles {
    if (!this.areOn || this.#administrators.has(identity)) return 'all'
    const patterns = this.#groupRolesOf(identity).map(({ pattern }) => pattern)
    if (patterns.includes('*')) return 'all'
    const { everyone } = this
    return { key: identityKey(identity), groups: identity.groups ?? [], everyone, patterns }
  }

  #groupRolesOf(identity: Identity): GroupRole[] {
    return this.groupRoles.filter(({ group }) => identity.groups?.includes(group))
  }

  /**
   * Finds what somebody may do on a dataset, and who can help; undefined where there is none that they may read.
   * @param transaction where the dataset is locked in one
   */
  async find(
    identity: Identity,
    name: string,
    transaction?: Transaction,
  ): Promise<Access | undefined> {
    const stored = await this.#find(identity, name, transaction)
    if (stored === undefined) return undefined
    const { role, ...why } = this.#decide(identity, name, stored)
    if (role === 'none') return undefined
    const owners = await readOwners(transaction ?? this.#store.reads, stored)
    return { datasetId: stored.id, role, ...why, owners }
  }

  /**
   * Lets a call pass.
   * @param transaction where the dataset is locked in one
   * @returns false where there is no dataset of this name that somebody may read
   * @throws Failure FORBIDDEN, naming the role that is needed, and the owners of the dataset
   */
  async require(
    identity: Identity,
    needed: CallRole,
    name = '',
    transaction?: Transaction,
  ): Promise<boolean> {
    if (needed === 'anyone' || (!this.areOn && identity.datasets === undefined)) return true
    if (needed === 'creator') {
      if (!this.mayCreate(identity)) throw fail('FORBIDDEN', { needed })
      return true
    }
    return (await this.#requireOn(identity, needed, name, transaction)) !== undefined
  }

  /**
   * Returns the permission of somebody for a call about a dataset by the roles that are cached, to be checked while the
   * call is answered.
   * @returns undefined where it is not known, or nothing is to be checked
   */
  presume(identity: Identity, needed: Role, name: string) {
    const cached = this.#cache.find(cacheKey(identity, name))
    if (cached === undefined || !covers(identity, cached.stored)) return undefined
    const { role } = this.#decide(identity, name, cached.stored)
    if (!includesRole(role, needed)) return undefined
    return {
      version: cached.stored,
      check: async () =>
        (await this.#isCurrent(cached, name))
          ? cached.stored
          : this.#requireOn(identity, needed, name),
    }
  }

  /** Whether roles are those of now: the version of their dataset is read in less time than they are. */
  async #isCurrent(cached: CachedRoles, name: string): Promise<boolean> {
    // Asked before reading, as something may be written meanwhile.
    const version = this.#store.version()
    if (cached.version === version) return true
    const current = await this.#findCurrent(name)
    const isCurrent = current !== undefined && isSameVersion(current, cached.stored)
    if (isCurrent) cached.version = version
    return isCurrent
  }

  /** @throws Failure FORBIDDEN */
  async #requireOn(
    identity: Identity,
    needed: Role,
    name: string,
    transaction?: Transaction,
  ): Promise<StoredRoles | undefined> {
    const stored = await this.#find(identity, name, transaction)
    if (stored === undefined) return undefined
    const { role } = this.#decide(identity, name, stored)
    if (role === 'none') return undefined
    if (includesRole(role, needed)) return stored
    const owners = await readOwners(transaction ?? this.#store.reads, stored)
    throw fail('FORBIDDEN', { needed, role, owners })
  }

  async #find(
    identity: Identity,
    name: string,
    transaction: Transaction | undefined,
  ): Promise<StoredRoles | undefined> {
    const stored = await this.#findStoredRoles(identity, name, transaction)
    return stored !== undefined && covers(identity, stored) ? stored : undefined
  }

  async #findStoredRoles(
    identity: Identity,
    name: string,
    transaction: Transaction | undefined,
  ): Promise<StoredRoles | undefined> {
    const key = identityKey(identity)
    if (transaction !== undefined) return findStoredRoles(transaction, { name, key })
    // Asked before reading, as something may be written meanwhile.
    const version = this.#store.version()
    const cached = this.#cache.find(cacheKey(identity, name))
    if (cached?.version === version) return cached.stored
    const stored = await this.#findStored({ name, key })
    if (stored !== undefined) this.#cache.put(cacheKey(identity, name), { stored, version })
    return stored
  }

  #decide(identity: Identity, name: string, stored: StoredRoles): Decision {
    if (!this.areOn) return { role: 'owner', source: 'everyone' }
    if (stored.creator === identityKey(identity)) return { role: 'owner', source: 'creator' }
    if (this.#administrators.has(identity)) return { role: 'owner', source: 'administrator' }
    const { person, everyone = this.everyone } = stored
    const decisions: Decision[] = [
      { role: everyone, source: 'everyone' },
      ...(person === undefined ? [] : [{ role: person, source: 'grant' } as const]),
      ...[
        ...stored.groups.filter(({ group }) => identity.groups?.includes(group)),
        ...this.#groupRolesOf(identity).filter((each) => fitsPattern(each, name)),
      ].map(({ group, role }): Decision => ({ role, source: 'group', group })),
    ]
    // The first of the highest.
    return decisions.reduce((best, next) => (includesRole(best.role, next.role) ? best : next))
  }
}

function cacheKey(identity: Identity, name: string): string {
  return `${name.length} ${name}${identityKey(identity)}`
}

/** Whether what somebody came with is for a dataset: a token may be for some alone. */
function covers({ datasets }: Identity, { id }: StoredRoles): boolean {
  return datasets === undefined || datasets.includes(id)
}

/** Roles that were found, as of one version of the store. */
type CachedRoles = { stored: StoredRoles; version: number }

/** Role of somebody on a dataset, and why they have it. */
type Decision = { role: EveryoneRole; source: RoleSource; group?: string }

/** Reads who can help with a dataset: whoever created it first, then those who were made owners. */
async function readOwners(db: Db, { id, creator }: StoredRoles): Promise<Person[]> {
  const granted = await listOwners(db, id, namedOwners)
  const keys = [creator, ...granted.filter((key) => key !== creator)]
  return Promise.all(keys.map((key) => findPerson(db, key)))
}
