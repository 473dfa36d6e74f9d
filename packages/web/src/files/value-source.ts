import type { NewValue } from '@vitrine/client'
import { octetStream, type ShownField } from '@vitrine/contract'
import { checkEntry, declarableType } from '../values/entry.ts'
import { newValue } from '../values/read-entry.ts'
import type { FileWithPath } from './file-with-path.ts'

/** Sources of a field's value when files become items. */
export const fileSources = {
  stem: { label: 'file name without its ending', read: stemOf },
  name: { label: 'file name', read: ({ path }: FileWithPath) => nameOf(path) },
  folder: { label: 'name of the folder', read: ({ path }: FileWithPath) => folderOf(path) },
  path: { label: 'path with folders', read: ({ path }: FileWithPath) => path },
}
type FileSource = keyof typeof fileSources

/** `same` is one text for all files. */
export type ValueSource = { from: FileSource } | { from: 'same'; text: string } | { from: 'none' }
export type ValueSources = Readonly<Record<string, ValueSource>>

/** The field that takes the files, where a repository has exactly one of them. */
export function fileFieldOf(schema: readonly ShownField[]): ShownField | undefined {
  const binaries = schema.filter(({ type }) => type === 'binary')
  return binaries.length === 1 ? binaries[0] : undefined
}

/** The first text field has the file's name; others that are required have one text for all. */
export function usualSources(schema: readonly ShownField[]): ValueSources {
  const others = schema.filter(({ type }) => type !== 'binary')
  const named = others.find(({ type, choices }) => type === 'string' && choices === undefined)
  return Object.fromEntries(
    others.map((field): [string, ValueSource] => {
      if (field === named) return [field.name, { from: 'stem' }]
      return [field.name, field.optional === true ? { from: 'none' } : { from: 'same', text: '' }]
    }),
  )
}

/** The values of the item that a file becomes, or why it cannot be one. */
export function valuesOf(
  chosen: FileWithPath,
  schema: readonly ShownField[],
  { sources, maxBytes }: { sources: ValueSources; maxBytes: number | undefined },
): { values: Record<string, NewValue> } | { problem: string } {
  const values: Record<string, NewValue> = {}
  for (const field of schema) {
    const entry =
      field.type === 'binary' ? fileFor(field, chosen.file) : textOf(chosen, sources[field.name])
    const problem = checkEntry(field, entry, maxBytes)
    if (problem !== undefined) {
      return { problem: field.type === 'binary' ? problem : `${field.name}: ${problem}` }
    }
    if (entry !== '') values[field.name] = newValue(field, entry)
  }
  return { values }
}

/** Any file is a stream of octets, for a field that takes these. */
function fileFor(field: ShownField, file: File): File {
  return declarableType(field, file) === octetStream
    ? new File([file], file.name, { type: octetStream, lastModified: file.lastModified })
    : file
}

export function textOf(chosen: FileWithPath, source: ValueSource | undefined): string {
  if (source === undefined || source.from === 'none') return ''
  return source.from === 'same' ? source.text : fileSources[source.from].read(chosen)
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

function stemOf({ path }: FileWithPath): string {
  return nameOf(path).replace(/(?<=.)\.[^.]*$/, '')
}

function folderOf(path: string): string {
  return path.split('/').at(-2) ?? ''
}
