import '@mantine/core/styles/Input.css'
import type { DatasetInfo } from '@vitrine/contract'
import { useApp } from '../../app-context.tsx'
import { shownName } from '../../data/named-state.ts'
import { Snippet } from '../../export/Snippet.tsx'
import { paths } from '../../paths.ts'
import { Details } from '../../ui/Details.tsx'
import { Json } from '../../ui/Json.tsx'
import { LinkList } from '../../ui/LinkList.tsx'
import { Section } from '../../ui/Section.tsx'
import { SideBySide } from '../../ui/SideBySide.tsx'
import { Access } from './Access.tsx'
import { Cite } from '../States/Cite.tsx'
import classes from './DatasetDetail.module.css'
import { DatasetProof } from './DatasetProof.tsx'
import { Growth } from './Growth.tsx'
import { History } from './History.tsx'
import { Links } from './Links.tsx'
import { RelatedDatasets } from './RelatedDatasets.tsx'
import { SchemaTable } from './SchemaTable.tsx'
import { ViewDefinition } from './ViewDefinition.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'

const Markdown = lazyPart(async () => (await import('../../ui/Markdown.tsx')).Markdown)

/**
 * A dataset's readme, how it grew, how to load it, its schema, definition, references and proof. JSON is folded where the
 * server has descriptions that introduce a dataset, and stands in the open on any other.
 */
export function DatasetSections({ info }: { info: DatasetInfo }) {
  const { features } = useApp()
  const introduces = features.includes('extend')
  const readme = info.repo?.['readme']
  const introduction = (
    <>
      {typeof readme === 'string' && (
        <Section title="Readme">
          {introduces ? (
            <Markdown text={readme} />
          ) : (
            <p className={classes.description}>{readme}</p>
          )}
        </Section>
      )}
      {introduces && <RelatedDatasets info={info} />}
      {features.includes('growth') && <Growth info={info} />}
      {introduces && features.includes('export') && (
        <Section title="Load it">
          <Snippet datasetId={shownName(info)} />
        </Section>
      )}
    </>
  )
  const structure = (
    <>
      <Section title="Schema">
        <div className={introduces ? classes.folding : classes.pair}>
          <SchemaTable schema={info.schema} />
          <FoldedJson label="schema as JSON" value={info.schema} folds={introduces} />
        </div>
      </Section>
      {info.view !== undefined && (
        <Section title="View definition">
          <div className={introduces ? classes.folding : classes.pair}>
            <ViewDefinition view={info.view} />
            <FoldedJson label="view definition as JSON" value={info.view} folds={introduces} />
          </div>
        </Section>
      )}
      <div className={classes.pair}>
        <Section title="References to">
          <LinkList links={links(info.referencesTo)} />
        </Section>
        <Section title="Referenced by">
          <LinkList links={links(info.referencedBy)} />
        </Section>
      </div>
      {features.includes('states') && <Cite info={info} />}
      {features.includes('log') && features.includes('export') && info.state === undefined && (
        <DatasetProof key={info.name} datasetId={info.name} isView={info.view !== undefined} />
      )}
      {features.includes('roles') && info.state === undefined && <Access datasetId={info.name} />}
      {features.includes('links') && features.includes('export') && <Links info={info} />}
      {features.includes('audit') && <History info={info} />}
    </>
  )
  return introduces ? (
    <SideBySide first={introduction} second={structure} />
  ) : (
    <>
      {introduction}
      {structure}
    </>
  )
}

type FoldedJsonProps = { label: string; value: unknown; folds: boolean }

function FoldedJson({ label, value, folds }: FoldedJsonProps) {
  const json = <Json label={label} value={value} />
  if (!folds) return json
  return <Details summary={label[0]!.toUpperCase() + label.slice(1)}>{json}</Details>
}

function links(names: readonly string[]) {
  return names.map((name) => ({ label: name, to: paths.dataset(name) }))
}
