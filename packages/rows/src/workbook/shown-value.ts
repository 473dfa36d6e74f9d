import type { FieldType } from '@vitrine/contract/values/index'
import { textOf } from '../text-of.ts'

/** Whether fields of a type take the value of a cell, and not what it shows. */
const ofValue: Readonly<Record<FieldType, boolean>> = {
  string: false,
  integer: true,
  number: true,
  boolean: true,
  date: true,
  timestamp: true,
  duration: true,
  url: false,
  json: true,
  reference: false,
  binary: false,
}

export function takesValue(type: string): boolean {
  return Object.hasOwn(ofValue, type) && ofValue[type as FieldType]
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
