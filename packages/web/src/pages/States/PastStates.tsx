import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { stateName, type StateInfo, type Exploration } from '@vitrine/contract'
import { useId, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { useApp } from '../../app-context.tsx'
import { namedState } from '../../data/named-state.ts'
import { paths } from '../../paths.ts'
import { ErrorBox } from '../../ui/ErrorBox.tsx'
import { Section } from '../../ui/Section.tsx'
import { TextSkeleton } from '../../ui/TextSkeleton.tsx'
import { Timestamp } from '../../ui/Time.tsx'
import classes from './States.module.css'

/** How long a slider must rest until it is asked when the item was added, in milliseconds. */
const restMs = 150

/** A slider through the past of a dataset: where it is let go, the page shows the dataset as it was. */
export function PastStates({ datasetId }: { datasetId: string }) {
  const { queries } = useApp()
  const { datasetId: name, at } = namedState(datasetId)
  const now = useQuery(queries.datasetState(name))
  return (
    <Section title="States">
      {now.error !== null ? (
        <ErrorBox error={now.error} onRetry={() => void now.refetch()} />
      ) : now.data === undefined ? (
        <p>
          <TextSkeleton width={40} />
        </p>
      ) : (
        <Slider key={at ?? 'now'} name={name} now={now.data} at={at} />
      )}
    </Section>
  )
}

type Props = { name: string; now: StateInfo; at: number | undefined }

function Slider({ name, now, at }: Props) {
  const { queries, features } = useApp()
  const navigate = useNavigate()
  const id = useId()
  const [value, setValue] = useState(at ?? now.size)
  const [rested] = useDebouncedValue(value, restMs)
  const there = useQuery(queries.datasetState(stateName({ name, at: rested })))
  const moment = rested === value ? there.data?.createdAt : undefined
  const go = () => {
    if (value === (at ?? now.size)) return
    void navigate(paths.dataset(value === now.size ? name : stateName({ name, at: value })), {
      preventScrollReset: true,
    })
  }
  const since: Exploration | undefined =
    at === undefined || there.data?.createdAt === undefined || rested !== at
      ? undefined
      : { where: { createdAt: { gt: there.data.createdAt } } }
  return (
    <div className={classes.past}>
      <label htmlFor={id}>As of so many items of {now.repo}</label>
      <input
        id={id}
        type="range"
        min={0}
        max={now.size}
        value={value}
        aria-valuetext={`${value.toLocaleString()} of ${now.size.toLocaleString()} items`}
        onChange={({ currentTarget }) => setValue(Number(currentTarget.value))}
        onPointerUp={go}
        onBlur={go}
        onKeyDown={({ key }) => key === 'Enter' && go()}
      />
      <p>
        {value.toLocaleString()} of {now.size.toLocaleString()} {now.size === 1 ? 'item' : 'items'}
        {moment !== undefined && (
          <>
            , the last of them added <Timestamp iso={moment} />
          </>
        )}
      </p>
      {since !== undefined && features.includes('explore') && (
        <p className={classes.links}>
          Added after that: <Link to={paths.items(name, since)}>items</Link>
          {features.includes('summary') && (
            <Link to={paths.summary(name, { where: since.where })}>summary</Link>
          )}
        </p>
      )}
    </div>
  )
}
