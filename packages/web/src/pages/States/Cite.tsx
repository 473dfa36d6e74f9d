import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { stateName, type DatasetInfo, type StateInfo } from '@vitrine/contract'
import { useState } from 'react'
import { useApp } from '../../app-context.tsx'
import { paths } from '../../paths.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { ErrorBox } from '../../ui/ErrorBox.tsx'
import { Section } from '../../ui/Section.tsx'
import { citation, citationKinds, type CitationKind } from './citation.ts'
import classes from './States.module.css'

/** Makes a scrolling element focusable, so that the keyboard can scroll it. */
const scrollable = { tabIndex: 0 }

/** Names the state that is shown so that it can be cited, to be copied: a dataset, or an item of it. */
export function Cite({ info, itemId }: { info: DatasetInfo; itemId?: string }) {
  const { queries, features } = useApp()
  const [kind, setKind] = useState<CitationKind>('Text')
  const now = useQuery({ ...queries.datasetState(info.name), enabled: info.state === undefined })
  const state = info.state ?? now.data
  const checkpoint = useQuery({
    ...queries.logCheckpoint(state?.repo ?? '', state?.at ?? 0),
    enabled: state !== undefined && features.includes('log'),
  })
  if (now.error !== null) return <ErrorBox error={now.error} onRetry={() => void now.refetch()} />
  const isKnown = state !== undefined && !checkpoint.isLoading
  const text = () => {
    const { at, repo, createdAt } = state ?? likeState(info)
    const name = stateName({ name: info.name, at })
    const path = itemId === undefined ? paths.dataset(name) : paths.item(name, itemId)
    // https://c2sp.org/tlog-checkpoint
    const root = isKnown || !features.includes('log') ? checkpoint.data?.split('\n')[2] : likeRoot
    const license = info.repo?.['license']
    return citation(kind, {
      name,
      itemId,
      address: `${window.location.origin}${path}`,
      at,
      repo,
      createdAt,
      root,
      license: typeof license === 'string' ? license : undefined,
    })
  }
  const shown = text()
  return (
    <Section title="Cite">
      <div className={classes.head}>
        <NativeSelect
          label="Citation as"
          data={[...citationKinds]}
          value={kind}
          onChange={({ currentTarget }) => setKind(currentTarget.value as CitationKind)}
        />
        {isKnown && <CopyButton text={shown} label="Copy the citation" />}
      </div>
      <section className={classes.citation} aria-label="Citation" {...scrollable}>
        {/* As high before it is known as after. */}
        <pre aria-busy={!isKnown} data-awaited={!isKnown || undefined}>
          {shown}
        </pre>
      </section>
    </Section>
  )
}

/** Placeholder as long as the root of a log in base64. */
const likeRoot = '-'.repeat(44)

/** A state whose citation is about as long as that of the one which is not known yet. */
function likeState({ name, createdAt }: DatasetInfo): StateInfo {
  return { repo: name, at: 1000, size: 1000, createdAt }
}
