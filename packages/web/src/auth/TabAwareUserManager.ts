import {
  User,
  UserManager,
  type SigninSilentArgs,
  type SignoutRedirectArgs,
  type UserManagerSettings,
} from 'oidc-client-ts'

const channelName = 'vitrine.renewal'

/** In milliseconds. */
const times = {
  /**
   * How long a tab whose turn it is listens for what another has renewed: what one tells may come after
   * the turn that it gave up, and surely was told if this one had to wait.
   */
  listenAtOnce: 100,
  listenAfterAnother: 2000,
  /** How long a turn is waited for: a little more than a silent request may take. */
  turn: 11_000,
}

type Renewed = { refreshToken: string; user: string }

/**
 * A duplicated tab begins with a copy of the refresh token; a provider that rotates accepts it once, and
 * takes a second use for theft. So tabs with the same one renew one at a time, and tell each other what
 * they got for it. A tab that was frozen in its turn has it taken away.
 */
export class TabAwareUserManager extends UserManager {
  readonly #channel = new BroadcastChannel(channelName)
  /** Called when signing out has removed the user, before the provider is asked. */
  onSignOut: () => void = () => {}
  readonly #turnMs: number

  constructor(settings: UserManagerSettings, { turnMs = times.turn } = {}) {
    super(settings)
    this.#turnMs = turnMs
  }

  /** Begins to take over what other tabs renew; returns how to end it. */
  listen(): () => void {
    this.#channel.addEventListener('message', ({ data }: MessageEvent<Renewed>) => {
      void this.#takeOver(data)
    })
    return () => this.#channel.close()
  }

  override async signinSilent(args?: SigninSilentArgs): Promise<User | null> {
    const before = await this.getUser()
    if (before?.refresh_token === undefined) return super.signinSilent(args)
    const { refresh_token: refreshToken } = before

    const begun: Promise<User | null>[] = []
    const inTurn = (options: LockOptions, forMs: number) =>
      navigator.locks.request(`${channelName} ${refreshToken}`, options, async (turn) => {
        if (turn === null) return
        const renewing = this.#renew(before, { refreshToken, forMs, args })
        begun.push(renewing)
        await renewing.catch(() => {})
      })
    try {
      await inTurn({ ifAvailable: true }, times.listenAtOnce)
      if (begun.length === 0) {
        await inTurn({ signal: AbortSignal.timeout(this.#turnMs) }, times.listenAfterAnother)
      }
    } catch {
      // The turn did not come, or was taken away: then what was begun still counts.
      if (begun.length === 0) await inTurn({ steal: true }, times.listenAfterAnother)
    }
    return begun[0] ?? null
  }

  override async signoutRedirect(args?: SignoutRedirectArgs): Promise<void> {
    const tell = () => this.onSignOut()
    this.events.addUserUnloaded(tell)
    try {
      await super.signoutRedirect(args)
    } finally {
      this.events.removeUserUnloaded(tell)
    }
  }

  async #renew(
    before: User,
    {
      refreshToken,
      forMs,
      args,
    }: { refreshToken: string; forMs: number; args: SigninSilentArgs | undefined },
  ): Promise<User | null> {
    let [last, until] = [performance.now(), performance.now() + forMs]
    do {
      await new Promise((resolve) => setTimeout(resolve, 20))
      const now = await this.getUser()
      // Taken over from another tab, or signed out.
      if (now?.access_token !== before.access_token) return now
      const isThawed = performance.now() - last > this.#turnMs
      last = performance.now()
      // Frozen meanwhile, its turn was taken away, and what the other tab tells is yet to be heard.
      if (isThawed) until = last + times.listenAfterAnother
    } while (last < until)
    const renewed = await super.signinSilent(args)
    if (renewed !== null) {
      const message: Renewed = { refreshToken, user: renewed.toStorageString() }
      // A BroadcastChannel reaches its own origin only, and takes no target.
      // oxlint-disable-next-line unicorn/require-post-message-target-origin
      this.#channel.postMessage(message)
    }
    return renewed
  }

  async #takeOver({ refreshToken, user }: Renewed): Promise<void> {
    const mine = await this.getUser()
    if (mine?.refresh_token !== refreshToken) return
    const renewed = User.fromStorageString(user)
    await this.storeUser(renewed)
    await this.events.load(renewed)
  }
}
