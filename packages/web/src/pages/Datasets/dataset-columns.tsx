import type { DatasetEntry } from '@vitrine/contract'
import { paths } from '../../paths.ts'
import { CellLink, RowLink } from '../../ui/RowLink.tsx'
import type { Column } from '../../ui/Table.tsx'
import { Timestamp } from '../../ui/Time.tsx'

/** The columns that every list of datasets has. */

export const nameColumn: Column<DatasetEntry> = {
  key: 'name',
  header: 'name',
  rowHeader: true,
  cell: ({ name }) => <RowLink to={paths.items(name)}>{name}</RowLink>,
}

export const createdAtColumn: Column<DatasetEntry> = {
  key: 'createdAt',
  header: 'created at',
  cell: ({ createdAt }) => <Timestamp iso={createdAt} />,
}

export const linksColumn: Column<DatasetEntry> = {
  key: 'links',
  header: 'links',
  hideHeader: true,
  end: true,
  cell: ({ name }) => (
    <>
      <CellLink to={paths.items(name)}>items</CellLink>{' '}
      <CellLink to={paths.dataset(name)}>details</CellLink>
    </>
  ),
}
