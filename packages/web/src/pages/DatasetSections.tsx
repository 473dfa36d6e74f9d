import type { DatasetInfo } from '@vitrine/contract'
import { paths } from '../paths.ts'
import { Json } from '../ui/Json.tsx'
import { LinkList } from '../ui/LinkList.tsx'
import { Section } from '../ui/Section.tsx'
import classes from './Dataset/DatasetDetail.module.css'
import { SchemaTable } from './Dataset/SchemaTable.tsx'
import { ViewDefinition } from './Dataset/ViewDefinition.tsx'

/** A dataset's schema, definition and references. */
export function DatasetSections({ info }: { info: DatasetInfo }) {
  return (
    <>
      <Section title="Schema">
        <div className={classes.pair}>
          <SchemaTable schema={info.schema} />
          <Json label="schema as JSON" value={info.schema} />
        </div>
      </Section>
      {info.view !== undefined && (
        <Section title="View definition">
          <div className={classes.pair}>
            <ViewDefinition view={info.view} />
            <Json label="view definition as JSON" value={info.view} />
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
    </>
  )
}

function links(names: readonly string[]) {
  return names.map((name) => ({ label: name, to: paths.dataset(name) }))
}
