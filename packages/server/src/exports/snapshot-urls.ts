import { stateName, type DatasetState } from '@vitrine/contract'

/** The addresses of the files of a snapshot, of which the first has one that says nothing of parts where it is alone. */
export function snapshotUrls(
  apiUrl: string,
  state: Required<DatasetState>,
  { parts }: { parts: readonly unknown[] },
): string[] {
  const address = `${apiUrl}/api/dataset/${stateName(state)}/snapshot`
  if (parts.length === 1) return [`${address}.parquet`]
  return parts.map((_, number) => `${address}/${number}.parquet`)
}
