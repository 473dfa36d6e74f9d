import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useApp } from '../../app-context.tsx'
import { foundItemEntry } from '../../data/found-item.ts'
import { LinkList } from '../../ui/LinkList.tsx'
import { Section } from '../../ui/Section.tsx'

/** Items of all repositories whose texts are what is looked for, below the datasets; nothing where there are none. */
export function FoundItems({ q }: { q: string }) {
  const { queries } = useApp()
  const { data } = useQuery({ ...queries.itemSearch(q), placeholderData: keepPreviousData })
  if (data === undefined || data.items.length === 0) return null
  const links = data.items.map((item) => {
    const { label, about, to } = foundItemEntry(item)
    return { label: `${label} · ${about}`, to }
  })
  return (
    <Section title="Items">
      <LinkList links={links} />
    </Section>
  )
}
