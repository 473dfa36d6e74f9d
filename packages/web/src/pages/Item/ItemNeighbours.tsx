import { Button } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Exploration } from '@vitrine/contract'
import { useApp } from '../../app-context.tsx'
import { foundAmong } from '../../explore/found-among.ts'
import { useCommands } from '../../palette/screen-commands.ts'
import { paths } from '../../paths.ts'
import { ButtonLink } from '../../ui/ButtonLink.tsx'

type Props = { datasetId: string; itemId: string; asked: Exploration }

/** Links to the items before and after one, where it was found or else in its dataset. */
export function ItemNeighbours({ datasetId, itemId, asked }: Props) {
  const { queries } = useApp()
  const { data, isPlaceholderData } = useQuery({
    ...queries.datasetItemNeighbours(datasetId, itemId, asked),
    placeholderData: keepPreviousData,
  })
  const state = foundAmong(asked)
  const beside = (['previous', 'next'] as const).map((key) => ({
    label: key === 'previous' ? 'Previous item' : 'Next item',
    to: data?.[key] === undefined ? undefined : paths.item(datasetId, data[key]),
  }))
  useCommands(
    beside.flatMap(({ label, to }) =>
      to === undefined || isPlaceholderData ? [] : [{ label, to }],
    ),
  )
  return beside.map(({ label, to }) =>
    to === undefined ? (
      <Button key={label} variant="default" disabled>
        {label}
      </Button>
    ) : (
      <ButtonLink key={label} to={to} state={state} variant="default">
        {label}
      </ButtonLink>
    ),
  )
}
