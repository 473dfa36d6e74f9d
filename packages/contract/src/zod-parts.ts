import {
  _default,
  array,
  int,
  maximum,
  maxLength,
  minimum,
  minLength,
  optional,
  refine,
  regex,
  string,
} from 'zod/mini'
import type { Zod } from './values/type-definition.ts'

/** What value types describe their keys with. */
export const zodParts: Zod = {
  _default,
  array,
  int,
  maximum,
  maxLength,
  minimum,
  minLength,
  optional,
  refine,
  regex,
  string,
}
