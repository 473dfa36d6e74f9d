import { type CallRole, type DatasetRole, type Role, includesRole } from '@vitrine/contract'
import { fail } from '../failure.ts'
import { findCreator } from '../store/datasets.ts'
import { findPerson } from '../store/people.ts'
import type { Store } from '../store/store.ts'
import type { Administrators } from './administrators.ts'
import { type Identity, identityKey } from './identity.ts'

/** Decides by roles what people may do on datasets (docs/roles.md). */
export class Roles {
  readonly #reads: Store['reads']
  readonly #everyone: Role
  readonly #administrators: Administrators

  constructor(
    { reads }: Pick<Store, 'reads'>,
    {
      everyone,
      administrators,
    }: {
      /** Role of everybody on every dataset. */
      everyone: Role
      administrators: Administrators
    },
  ) {
    this.#reads = reads
    this.#everyone = everyone
    this.#administrators = administrators
  }

  mayCreate(identity: Identity): boolean {
    return includesRole(this.#everyone, 'contributor') || this.#administrators.has(identity)
  }

  /** Finds what somebody may do on a dataset; undefined where there is none of this name. */
  async find(identity: Identity, name: string): Promise<DatasetRole | undefined> {
    const creator = await findCreator(this.#reads, name)
    if (creator === undefined) return undefined
    const isOwner = creator === identityKey(identity) || this.#administrators.has(identity)
    const role = isOwner ? 'owner' : this.#everyone
    return { role, owners: [await findPerson(this.#reads, creator)] }
  }

  /**
   * Lets a call pass, also one about a dataset that is not there, which refuses by itself.
   * @throws Failure FORBIDDEN, naming the role that is needed, and the owners of the dataset
   */
  async require(identity: Identity, needed: CallRole, name = ''): Promise<void> {
    if (needed === 'anyone') return
    if (needed === 'creator') {
      if (!this.mayCreate(identity)) throw fail('FORBIDDEN', { needed })
      return
    }
    if (includesRole(this.#everyone, needed)) return
    const found = await this.find(identity, name)
    if (found !== undefined && !includesRole(found.role, needed)) {
      throw fail('FORBIDDEN', { needed, ...found })
    }
  }
}
