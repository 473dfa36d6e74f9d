import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { useApp } from '../../app-context.tsx'
import { ErrorBox } from '../../ui/ErrorBox.tsx'
import { saveBlob } from '../../ui/blob-url.ts'
import { filtersOf, readAuditSearch } from './audit-search.ts'

/** Saves the entries that are shown, or all where none are left out, as NDJSON. */
export function AuditExport() {
  const { client } = useApp()
  const [search] = useSearchParams()
  const saving = useMutation({
    mutationFn: async () =>
      saveBlob(await client.auditExport(filtersOf(readAuditSearch(search))), 'audit.ndjson'),
  })
  return (
    <>
      {saving.error !== null && <ErrorBox error={saving.error} />}
      <Button variant="default" disabled={saving.isPending} onClick={() => saving.mutate()}>
        Export
      </Button>
    </>
  )
}
