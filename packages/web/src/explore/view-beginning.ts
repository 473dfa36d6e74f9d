import { emptyDescription } from '@vitrine/contract'
import { Document, isCollection, isMap, isPair, visit } from 'yaml'
import { readExploration } from '../paths.ts'

/**
 * The description that an address asks to begin with: a view of what was on screen, its name still to
 * be filled in.
 */
export function viewBeginning(search: URLSearchParams): string {
  const base = search.get('base')
  const read = readExploration(search, ['current'])
  if (base === null || !read.ok) return emptyDescription
  const { current, ...clauses } = read.value
  return `---\nname: \n${yaml({ base, ...(current === true && { current }), ...clauses })}`
}

/** YAML in which what holds no further mapping stands on one line. */
function yaml(value: unknown): string {
  const document = new Document(value)
  visit(document, {
    Collection: (_, node, path) => {
      node.flow = path.length > 1 && !holdsMapping(node)
    },
  })
  return document.toString({ lineWidth: 0 })
}

function holdsMapping(node: unknown): boolean {
  return (
    isCollection(node) &&
    node.items.some((item) => {
      const value = isPair(item) ? item.value : item
      return isMap(value) || holdsMapping(value)
    })
  )
}
