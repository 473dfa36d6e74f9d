import { parseState, stateName, type DatasetInfo } from '@vitrine/contract'

/** Parses a name in an address: that of a dataset, `photos`, or of a state of one, `photos@1200`. */
export function namedState(named: string): { datasetId: string; at?: number } {
  const { name, at } = parseState(named) ?? { name: named }
  return { datasetId: name, ...(at !== undefined && { at }) }
}

/** The name of what is shown, with its state. */
export function shownName({ name, state }: Pick<DatasetInfo, 'name' | 'state'>): string {
  return stateName({ name, ...(state !== undefined && { at: state.at }) })
}

/** The dataset of an address that may name a state of it. */
export function datasetNameOf(named: string): string {
  return namedState(named).datasetId
}
