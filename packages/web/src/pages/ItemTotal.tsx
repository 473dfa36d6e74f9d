import { useQuery } from '@tanstack/react-query'
import { useApp } from '../app-context.tsx'
import { totalText } from '../explore/count-text.ts'
import { Bone } from '../ui/Bone.tsx'

/** How many items a dataset has, in a line that is there before they are counted. */
export function ItemTotal({ datasetId }: { datasetId: string }) {
  const { queries } = useApp()
  const { data: count, error } = useQuery(queries.datasetCount(datasetId))
  return <p>{count ? totalText(count) : (error?.message ?? <Bone width={9} />)}</p>
}
