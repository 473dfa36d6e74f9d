/** Who makes a request. People are told apart by issuer and subject, never by name or e-mail. */
export type Identity = { issuer: string; subject: string }

/** An identity as the store keeps it, in `created_by`: no issuer has a space in it. */
export function identityKey({ issuer, subject }: Identity): string {
  return `${issuer} ${subject}`
}

/**
 * Checks the `Authorization` header of a request.
 * @throws Failure TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED, PROVIDER_UNAVAILABLE
 */
export type Authenticate = (authorization: string | undefined) => Promise<Identity>
