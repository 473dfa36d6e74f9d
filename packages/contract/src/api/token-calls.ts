import * as z from 'zod/mini'
import type { Call } from './call.ts'
import { page } from './page.ts'
import { digits } from './query-text.ts'
import { createdToken, newToken, tokenInfo } from './token.ts'

/** The calls about the personal access tokens of whoever makes them. No token may make one of them. */
export const tokenCalls = {
  tokenList: {
    summary: 'List your personal access tokens, newest first',
    method: 'GET',
    path: '/api/token',
    scope: 'session',
    role: 'anyone',
    query: page,
    status: 200,
    reply: z.array(tokenInfo),
    errors: [],
  },
  tokenCreate: {
    summary: 'Create a personal access token, shown in this reply only',
    method: 'POST',
    path: '/api/token',
    scope: 'session',
    role: 'anyone',
    body: newToken,
    status: 201,
    reply: createdToken,
    errors: ['REQUEST_INVALID', 'TOKENS_OFF', 'CONTENT_TOO_LARGE', 'MEDIA_TYPE_UNSUPPORTED'],
  },
  tokenRevoke: {
    summary: 'Revoke a personal access token at once',
    method: 'DELETE',
    path: '/api/token/{tokenId}',
    scope: 'session',
    role: 'anyone',
    params: z.object({ tokenId: digits(1, Number.MAX_SAFE_INTEGER) }),
    status: 204,
    errors: ['TOKEN_NOT_FOUND'],
  },
} as const satisfies Record<string, Call>
