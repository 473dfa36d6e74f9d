import { type PersonalTokenOptions, createTokenCheck } from '../../access/personal-token.ts'
import { Failure } from '../../failure.ts'
import type { ExistingStore } from '../../store/open-existing.ts'
import { type Diagnosis, ok, reasonOf, wrong } from './diagnosis.ts'

/** Judges a personal access token as the server does, without noting that it was used. */
export async function diagnosePersonalToken(
  token: string,
  { store, ...options }: { store: ExistingStore } & Omit<PersonalTokenOptions, 'onUsed'>,
): Promise<Diagnosis> {
  try {
    const { identity, scope } = await createTokenCheck(store, options)(token)
    const { subject, datasets } = identity
    const on = datasets === undefined ? '' : `, on the datasets that it names (${datasets.length})`
    return ok('token', `the server takes it, as ${subject}, for ${scope}${on}`)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const why = error.cause === undefined ? '' : `: ${reasonOf(error)}`
    const finding = `the server refuses it with ${error.code}${why}`
    if (!options.isEnabled) return wrong('token', finding, 'VITRINE_TOKENS')
    return wrong('token', finding, 'create another, by `vitrine token create`')
  }
}
