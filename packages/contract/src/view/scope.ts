import type { Problem } from '../api/errors.ts'
import { type Path, type Resolve, pathSyntax, resolvePath } from './path.ts'

/** Context for reading the parts of a description: resolves paths and takes problems. */
export type Scope = {
  /** Finds what a path leads to; undefined when it was reported, or when no schema is known. */
  path: (text: string, at: Problem['path']) => Path | undefined
  report: (problem: Problem) => void
  /** Takes what makes sense, but is a slip; of a description that is kept it is not reported. */
  caution: (problem: Problem) => void
  /** Whether a name is known to be that of a field. */
  isField: (name: string) => boolean
}

/** Reads a description by itself: any path will do that is one. */
export function schemalessScope(report: Scope['report']): Scope {
  return {
    report,
    caution: report,
    isField: () => false,
    path: (text, at) => {
      const reason = pathSyntax(text)
      if (reason !== undefined) report({ path: at, reason, ...keyMark(text, at) })
      return undefined
    },
  }
}

/** Reads a description against its base, following references; `onStep` is told of their targets. */
export function baseScope(
  base: string,
  resolve: Resolve,
  {
    onStep,
    ...reporting
  }: Pick<Scope, 'report' | 'caution'> & { onStep: (target: string) => void },
): Scope {
  const { report } = reporting
  return {
    ...reporting,
    isField: (name) => resolvePath(name, base, resolve).ok,
    path: (text, at) => {
      const resolved = resolvePath(text, base, resolve)
      if (!resolved.ok) {
        const { reason, nearest } = resolved
        report({
          path: at,
          reason,
          ...(nearest !== undefined && { nearest }),
          ...keyMark(text, at),
        })
        return undefined
      }
      for (const { target } of resolved.path.steps) onStep(target)
      return resolved.path
    },
  }
}

/** In a condition the path is a key; elsewhere it is a value. */
function keyMark(text: string, at: Problem['path']): { atKey?: true } {
  return at.at(-1) === text ? { atKey: true } : {}
}
