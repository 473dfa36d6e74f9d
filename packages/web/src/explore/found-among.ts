import type { Exploration } from '@vitrine/contract'
import { useMemo } from 'react'
import { useLocation } from 'react-router'
import { useApp } from '../app-context.tsx'
import { explorationSearch, readExploration } from '../paths.ts'

/** State of a link to an item: among which items it was found. The address of an item is what is specified. */
export type FoundAmong = { among: string }

const everything: Exploration = {}

export function foundAmong(exploration: Exploration | undefined): FoundAmong | undefined {
  const among = explorationSearch(exploration ?? everything).toString()
  return among === '' ? undefined : { among }
}

/** Among which items the one that is shown was found, as the link that led here says; in a new tab, among all. */
export function useFoundAmong(): Exploration {
  const { features } = useApp()
  const state: unknown = useLocation().state
  return useMemo(() => {
    const { among } = (state ?? {}) as Partial<Record<string, unknown>>
    if (typeof among !== 'string') return everything
    const read = readExploration(new URLSearchParams(among), features)
    return read.ok ? read.value : everything
  }, [state, features])
}
