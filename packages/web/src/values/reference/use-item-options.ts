import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { itemLabel, labelField, readId, type Item } from '@vitrine/contract'
import { useApp } from '../../app-context.tsx'

type ItemOption = { id: string; label: string }

/**
 * Items of a dataset for a list to choose from: the one with the id that was typed, then those with words in their
 * label, a page of them at most.
 */
export function useItemOptions(target: string, words: string, enabled: boolean) {
  const { queries } = useApp()
  const { data: info } = useQuery({ ...queries.datasetGet(target), enabled })
  const field = info && labelField(info)
  const id = readId(words)
  const where = field === undefined || words === '' ? undefined : { [field]: { search: words } }
  const listed = useQuery({
    ...queries.datasetItemList(target, 0, where === undefined ? {} : { where }),
    // Without a label, words find nothing.
    enabled: enabled && info !== undefined && (field !== undefined || words === ''),
    placeholderData: keepPreviousData,
  })
  const single = useQuery({
    ...queries.datasetItemGet(target, words),
    enabled: enabled && id !== undefined,
  })
  const option = (item: Item): ItemOption => ({
    id: String(item.id),
    label: (info && itemLabel(info, item)) ?? `item ${item.id}`,
  })
  const first = id === undefined || single.data === undefined ? [] : [single.data]
  const others = listed.data?.value.filter((item) => item.id !== first[0]?.id) ?? []
  return {
    options: info === undefined ? [] : [...first, ...others].map(option),
    isSettled: info !== undefined && !listed.isFetching && !single.isFetching,
    error: listed.error,
  }
}
