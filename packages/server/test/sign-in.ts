import { createHash, randomBytes } from 'node:crypto'
import { CookieJar } from './cookie-jar.ts'

export type Tokens = {
  access_token: string
  refresh_token: string
  id_token: string
  token_type: string
  expires_in: number
  scope: string
}

/** A browser, as far as signing in to the built-in provider needs one. */
export class Visitor {
  readonly publicUrl: string
  readonly jar = new CookieJar()

  constructor(publicUrl: string) {
    this.publicUrl = publicUrl
  }

  get issuer(): string {
    return `${this.publicUrl}/realms/local`
  }

  /** Asks for authorization; answers with where that leads. `parameters` replace or remove defaults. */
  async authorize(parameters: Record<string, string | undefined> = {}): Promise<{
    response: Response
    location: string
    verifier: string
  }> {
    const verifier = randomBytes(32).toString('base64url')
    const asked = {
      client_id: 'vitrine',
      redirect_uri: `${this.publicUrl}/`,
      response_type: 'code',
      scope: 'openid profile',
      state: 'some-state',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...parameters,
    }
    const query = new URLSearchParams(
      Object.entries(asked).filter((entry): entry is [string, string] => entry[1] !== undefined),
    )
    const response = await this.jar.fetch(`${this.issuer}/auth?${query}`)
    return { response, location: this.#locationOf(response), verifier }
  }

  /** Fills in the sign-in page. */
  async submit(page: string, credentials: { username: string; password: string }) {
    return this.jar.fetch(page, { method: 'POST', body: new URLSearchParams(credentials) })
  }

  /** From nothing to a code: asks for authorization, signs in, follows to the app. */
  async code(credentials: {
    username: string
    password: string
  }): Promise<{ code: string; verifier: string }> {
    const { location, verifier } = await this.authorize()
    const submitted = await this.submit(location, credentials)
    if (submitted.status !== 303) throw new Error(`sign-in answered ${submitted.status}`)
    const resumed = await this.jar.fetch(this.#locationOf(submitted))
    const code = new URL(this.#locationOf(resumed)).searchParams.get('code')
    if (code === null) throw new Error(`sign-in led to ${this.#locationOf(resumed)}`)
    return { code, verifier }
  }

  /** A call of the token endpoint. */
  async token(form: Record<string, string>): Promise<Response> {
    return this.post('token', { client_id: 'vitrine', ...form })
  }

  async exchange(code: string, verifier: string): Promise<Response> {
    return this.token({
      grant_type: 'authorization_code',
      code,
      redirect_uri: `${this.publicUrl}/`,
      code_verifier: verifier,
    })
  }

  async refresh(refreshToken: string): Promise<Response> {
    return this.token({ grant_type: 'refresh_token', refresh_token: refreshToken })
  }

  /** The whole way to tokens. */
  async signIn(credentials: { username: string; password: string }): Promise<Tokens> {
    const { code, verifier } = await this.code(credentials)
    const response = await this.exchange(code, verifier)
    if (!response.ok) throw new Error(await response.text())
    return (await response.json()) as Tokens
  }

  /** Opens the sign-out page and submits its form, as its script or its button does. */
  async signOut(query: Record<string, string>) {
    const address = `${this.issuer}/session/end?${new URLSearchParams(query)}`
    const page = await this.jar.fetch(address)
    const text = await page.text()
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(text)?.[1] ?? ''
    const confirmed = await this.jar.fetch(`${this.issuer}/session/end/confirm`, {
      method: 'POST',
      body: new URLSearchParams({ xsrf, logout: 'yes' }),
    })
    return { text, location: confirmed.headers.get('location') }
  }

  async post(path: string, form: Record<string, string>): Promise<Response> {
    return fetch(`${this.issuer}/${path}`, { method: 'POST', body: new URLSearchParams(form) })
  }

  #locationOf(response: Response): string {
    const location = response.headers.get('location')
    return location === null ? '' : new URL(location, response.url).href
  }
}
