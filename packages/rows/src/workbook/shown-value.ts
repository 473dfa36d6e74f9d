import type { SchemaField } from '@vitrine/contract'
import { textOf } from '../text-of.ts'

const valueTypes: readonly string[] = [
  'integer',
  'number',
  'boolean',
  'date',
  'timestamp',
  'json',
] satisfies SchemaField['type'][]

/** Whether fields of a type take the value of a cell, and not what it shows. */
export function takesValue(type: string): boolean {
  return valueTypes.includes(type)
}

/** A value that a spreadsheet shows in another form: a text takes what is shown, and other types the value. */
export class ShownValue {
  readonly value: string | number | boolean
  readonly shown: string

  constructor(value: string | number | boolean, shown: string) {
    this.value = value
    this.shown = shown
  }
}

/** Returns what a cell shows. */
export function shownText(value: unknown): string | undefined {
  return value instanceof ShownValue ? value.shown : textOf(value)
}
