import type { ErrorBody } from '@vitrine/contract'

/** What an error reply says. */
export const bodyOf = async (response: Response) => (await response.json()) as ErrorBody
