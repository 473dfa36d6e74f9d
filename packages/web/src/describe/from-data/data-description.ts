import { counted, descriptionText, fieldLine } from '@vitrine/rows/description-text'
import { FieldInference, mimeOf } from '@vitrine/rows/infer-fields'
import { octetStream } from '@vitrine/contract'
import { fileSources } from '../../files/value-source.ts'
import type { FileWithPath } from '../../files/file-with-path.ts'

/**
 * A description of files that each become an item. Where there are images it is of these: what else lies
 * in their folder, such as a README, does not make them files of any kind.
 */
export async function describeFiles(all: readonly FileWithPath[]): Promise<string> {
  const images = all.filter(({ file }) => file.type.startsWith('image/'))
  const files = images.length > 0 ? images : all
  const inference = new FieldInference()
  inference.add({
    columns: ['name'],
    rows: files.map((chosen, index) => ({
      line: index + 1,
      values: [fileSources.stem.read(chosen)],
    })),
    bytes: 0,
  })
  const columns = await inference.infer()
  const mime = mimeOf(new Set(files.map(({ file }) => file.type || octetStream)))
  return descriptionText(folderOf(all) ?? 'images', aboutFiles(files.length, all.length), [
    ...columns.flatMap(({ field }) => (field === undefined ? [] : [fieldLine(field)])),
    fieldLine({ name: mime.startsWith('image/') ? 'image' : 'file', type: 'binary', mime }),
  ])
}

/** The folder that all files are in, which is what was chosen. */
function folderOf(files: readonly FileWithPath[]): string | undefined {
  const outermost = new Set(
    files.map(({ path }) => (path.includes('/') ? path.slice(0, path.indexOf('/')) : undefined)),
  )
  const [folder] = outermost
  return outermost.size === 1 ? folder : undefined
}

function aboutFiles(described: number, all: number): string {
  if (described === all) return counted(all, 'file')
  const others = counted(all - described, 'other file')
  return `${counted(described, 'image')}; ${others} would be refused`
}
