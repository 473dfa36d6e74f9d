const { KEYCLOAK_URL: url, KEYCLOAK_ADMIN, KEYCLOAK_ADMIN_PASSWORD } = process.env

/** The realm of docs/keycloak. */
export const authority = `${url}/realms/vitrine`

type Found = { id: string; name: string }

/** Keycloak's admin API, as far as the tests change a realm behind the product's back. */
export class KeycloakAdmin {
  async #token(): Promise<string> {
    const response = await fetch(`${url}/realms/master/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'password',
        client_id: 'admin-cli',
        username: KEYCLOAK_ADMIN!,
        password: KEYCLOAK_ADMIN_PASSWORD!,
      }),
    })
    return ((await response.json()) as { access_token: string }).access_token
  }

  async #call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(`${url}/admin/realms/vitrine${path}`, {
      method,
      headers: {
        authorization: `Bearer ${await this.#token()}`,
        'content-type': 'application/json',
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status}`)
    const text = await response.text()
    return (text === '' ? undefined : JSON.parse(text)) as T
  }

  /** Sets what is given of the realm, such as the life of tokens in seconds. */
  async setRealm(settings: Record<string, unknown>): Promise<void> {
    await this.#call('PUT', '', settings)
  }

  async addUser({ username, password }: { username: string; password: string }): Promise<void> {
    await this.#call('POST', '/users', {
      username,
      enabled: true,
      email: `${username}@example.org`,
      firstName: username,
      lastName: 'Example',
      credentials: [{ type: 'password', value: password, temporary: false }],
    })
  }

  /** Makes a group, and returns its id. */
  async addGroup(name: string): Promise<string> {
    await this.#call('POST', '/groups', { name })
    const groups = await this.#call<Found[]>('GET', `/groups?exact=true&search=${name}`)
    return groups[0]!.id
  }

  async setMember(username: string, groupId: string, isMember: boolean): Promise<void> {
    const path = `/users/${await this.#idOf(username)}/groups/${groupId}`
    await this.#call(isMember ? 'PUT' : 'DELETE', path)
  }

  async endSessions(username: string): Promise<void> {
    await this.#call('POST', `/users/${await this.#idOf(username)}/logout`)
  }

  async removeUser(username: string): Promise<void> {
    await this.#call('DELETE', `/users/${await this.#idOf(username)}`)
  }

  async #idOf(username: string): Promise<string> {
    const [user] = await this.#call<Found[]>('GET', `/users?exact=true&username=${username}`)
    return user!.id
  }

  /** Signs with a new key from now on; the old ones stay published. */
  async rotateKeys(priority: number): Promise<void> {
    await this.#call('POST', '/components', {
      name: `rsa-${priority}`,
      providerId: 'rsa-generated',
      providerType: 'org.keycloak.keys.KeyProvider',
      config: { priority: [String(priority)], algorithm: ['RS256'], keySize: ['2048'] },
    })
  }

  /** Takes away what names the API in tokens, and lets every role into them, as clients are by default. */
  async useDefaultTokens(): Promise<void> {
    const [client] = await this.#call<(Found & { protocolMappers: Found[] })[]>(
      'GET',
      '/clients?clientId=vitrine',
    )
    const { id, protocolMappers } = client!
    for (const mapper of protocolMappers) {
      await this.#call('DELETE', `/clients/${id}/protocol-mappers/models/${mapper.id}`)
    }
    await this.#call('PUT', `/clients/${id}`, { clientId: 'vitrine', fullScopeAllowed: true })
    const scopes = await this.#call<Found[]>('GET', '/client-scopes')
    const roles = scopes.find(({ name }) => name === 'roles')
    await this.#call('PUT', `/clients/${id}/default-client-scopes/${roles!.id}`)
  }
}
