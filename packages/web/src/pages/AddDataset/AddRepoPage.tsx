import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useApp } from '../../app-context.tsx'
import { DescribeForm } from '../../describe/DescribeForm.tsx'
import { repoKind } from '../../describe/description-kind.ts'
import type { DescribedData } from '../../describe/from-data/described-data.ts'
import { FromData } from '../../describe/from-data/FromData.tsx'
import type { ImportFailure } from '../Import/ImportScreen.tsx'
import { keepChosenFiles } from '../../files/file-with-path.ts'
import { ForCreators } from '../../layout/ForRole.tsx'
import { paths } from '../../paths.ts'
import { ErrorBox } from '../../ui/ErrorBox.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import classes from './AddRepoPage.module.css'

export function AddRepoPage() {
  const { features } = useApp()
  const navigate = useNavigate()
  const failure = useLocation().state as ImportFailure | null
  const [data, setData] = useState<DescribedData>()
  const importInto = ({ files, inferred }: DescribedData, name: string) => {
    keepChosenFiles(name, { files, encoding: inferred?.reading?.encoding })
    void navigate(inferred !== undefined ? paths.importRows(name) : paths.addFiles(name))
  }
  return (
    <>
      <PageHeader title={repoKind.heading} crumbs={[{ label: 'Repos', to: paths.repos() }]} />
      <ForCreators>
        {failure !== null && data === undefined && (
          <div className={classes.failure}>
            <ErrorBox
              error={failure.error}
              hint={`Nothing was imported: the repository ${failure.repo} was empty, and is deleted again.`}
            />
          </div>
        )}
        {features.includes('import') && <FromData onDescribed={setData} />}
        <DescribeForm
          key={data?.text}
          kind={repoKind}
          begin={data?.text}
          {...(data !== undefined && {
            submitLabel:
              data.inferred !== undefined ? 'Create and import' : 'Create and add the files',
            inferred: data.inferred,
            onAdded: (name: string) => importInto(data, name),
          })}
          next={(name) => [
            { to: paths.dataset(name), label: `Open ${name}` },
            { to: paths.addItem(name), label: 'Add Item' },
          ]}
        />
      </ForCreators>
    </>
  )
}
