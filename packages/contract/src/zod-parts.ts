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

/** The part of zod by which value types describe their keys. */
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
