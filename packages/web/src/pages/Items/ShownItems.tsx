import { lazy, Suspense } from 'react'
import { Items, type ItemsProps } from './Items.tsx'
import { useItemsLook } from './use-items-look.ts'

const Gallery = lazy(async () => {
  const { Gallery } = await import('./Gallery/Gallery.tsx')
  return { default: Gallery }
})

type Props = Omit<ItemsProps, 'renderPage'> & {
  /** Left out where the server sorts nothing. */
  setOrder?: (order: string[] | undefined) => void
}

/** The items of a dataset, as a table or as a gallery. */
export function ShownItems({ setOrder, ...items }: Props) {
  const { datasetId, info, asked } = items
  const { look } = useItemsLook(info)
  return (
    // The pager is below the gallery, and comes with it.
    <Suspense>
      <Items
        {...items}
        renderPage={
          look === 'gallery'
            ? (loaded) => (
                <Gallery
                  datasetId={datasetId}
                  info={info}
                  loaded={loaded}
                  asked={asked}
                  setOrder={setOrder}
                />
              )
            : undefined
        }
      />
    </Suspense>
  )
}
