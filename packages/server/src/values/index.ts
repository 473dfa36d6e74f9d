import type { FieldType } from '@vitrine/contract'
import { binary } from './binary.ts'
import { boolean } from './boolean.ts'
import { date } from './date.ts'
import { integer } from './integer.ts'
import { json } from './json.ts'
import { number } from './number.ts'
import { reference } from './reference.ts'
import type { StoredType } from './stored-type.ts'
import { string } from './string.ts'
import { timestamp } from './timestamp.ts'
import { url } from './url.ts'

/** Stored types by the types of fields. A new type is a new file and an entry here. */
export const storedTypes: Record<FieldType, StoredType> = {
  string,
  integer,
  number,
  boolean,
  date,
  timestamp,
  url,
  json,
  reference,
  binary,
}
