import { Suspense } from 'react'
import type { ExplorationState } from '../../explore/use-exploration.ts'
import { Items, type ItemsProps } from './Items.tsx'
import { NoItems } from './NoItems.tsx'
import classes from './Plot/PlotLook.module.css'
import { useItemsLook } from './use-items-look.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'

const Gallery = lazyPart(async () => (await import('./Gallery/Gallery.tsx')).Gallery)

const PlotLook = lazyPart(async () => (await import('./Plot/PlotLook.tsx')).PlotLook)

type Props = Omit<ItemsProps, 'renderPage'> & {
  /** Left out where the server sorts nothing. */
  setOrder?: (order: string[] | undefined) => void
  /** Left out where the server filters nothing. */
  explored?: ExplorationState
}

/** The items of a dataset, as a table, as a gallery or as a plot. */
export function ShownItems({ setOrder, explored, ...items }: Props) {
  const { datasetId, info, exploration } = items
  const { look } = useItemsLook(info)
  if (look === 'plot' && explored !== undefined) {
    return (
      <Suspense fallback={<div className={classes.plot} />}>
        {info === undefined ? (
          <div className={classes.plot} />
        ) : (
          <PlotLook
            datasetId={datasetId}
            info={info}
            explored={explored}
            none={items.noneFound ?? <NoItems datasetId={datasetId} info={info} />}
          />
        )}
      </Suspense>
    )
  }
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
                  exploration={exploration}
                  setOrder={setOrder}
                />
              )
            : undefined
        }
      />
    </Suspense>
  )
}
