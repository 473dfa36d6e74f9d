import type { ErrorBody } from '@vitrine/contract'

/** Parses the body of an error reply. */
export const bodyOf = async (response: Response) => (await response.json()) as ErrorBody
