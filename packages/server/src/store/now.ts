import type { RawBuilder } from 'kysely'
import { inEngine } from './engine-sql.ts'

/** The database's own clock, in milliseconds since 1970: deadlines are judged by it. */
export const now = inEngine((engine) => engine.now()) as RawBuilder<number>
