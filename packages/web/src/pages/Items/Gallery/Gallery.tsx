import {
  itemLabel,
  searchWords,
  type DatasetInfo,
  type Exploration,
  type Item,
} from '@vitrine/contract'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, type CSSProperties } from 'react'
import { useApp } from '../../../app-context.tsx'
import { foundAmong } from '../../../explore/found-among.ts'
import type { Loaded } from '../../../ui/Listing.tsx'
import { TextSkeleton } from '../../../ui/TextSkeleton.tsx'
import classes from './Gallery.module.css'
import { GalleryBar } from './GalleryBar.tsx'
import { Tile } from './Tile.tsx'
import { usePictureField } from './use-picture-field.ts'
import { useTileSize } from './use-tile-size.ts'
import { useViewedItem } from './use-viewed-item.ts'
import { Viewer } from './Viewer.tsx'

type Props = {
  datasetId: string
  info: DatasetInfo | undefined
  loaded: Loaded<Item>
  exploration: Exploration | undefined
  setOrder: ((order: string[] | undefined) => void) | undefined
}

/** The items of a page as pictures with captions, in boxes that are there before them. */
export function Gallery({ datasetId, info, loaded, exploration, setOrder }: Props) {
  const size = useTileSize()
  const picture = usePictureField(info)
  const { viewed, open, goTo, close } = useViewedItem()
  const tiles = useFocusAfter(viewed)
  const state = foundAmong(exploration)
  const words = useMemo(() => searchWords(exploration?.q ?? ''), [exploration?.q])
  const { queries } = useApp()
  const ids = useMemo(() => loaded.rows?.map(({ id }) => id) ?? [], [loaded.rows])
  const { data: replacements = [] } = useQuery(queries.datasetReplacementList(datasetId, ids))
  // That nothing was found so far is not that there is nothing: where that is so, this is not shown.
  const items = loaded.rows?.length === 0 ? undefined : loaded.rows
  return (
    <>
      <GalleryBar
        info={info}
        size={size}
        picture={picture}
        order={exploration?.order}
        setOrder={setOrder}
      />
      <ul
        ref={tiles}
        aria-label={`Items of ${datasetId}`}
        aria-busy={items === undefined || loaded.stale}
        className={classes.tiles}
        style={{ '--tile': `${size.rem}rem` } as CSSProperties}
      >
        {info === undefined || items === undefined
          ? Array.from({ length: loaded.pageSize }, (_, index) => (
              <TileSkeleton key={`skeleton ${index}`} />
            ))
          : items.map((item) => (
              <Tile
                key={item.id}
                datasetId={datasetId}
                item={item}
                caption={itemLabel(info, item) ?? `Item ${item.id}`}
                state={state}
                words={words}
                field={picture.field}
                replacement={replacements.find(({ id }) => id === item.id)}
                onView={() => open(item.id)}
              />
            ))}
      </ul>
      {viewed !== undefined && (
        <Viewer
          datasetId={datasetId}
          info={info}
          exploration={exploration}
          loaded={loaded}
          field={picture.field}
          itemId={viewed}
          goTo={goTo}
          onClose={close}
        />
      )}
    </>
  )
}

/** Gives the focus to the tile of the item that was viewed last, which one sees then. */
function useFocusAfter(viewed: number | undefined) {
  const tiles = useRef<HTMLUListElement>(null)
  const last = useRef(viewed)
  useEffect(() => {
    if (viewed === undefined && last.current !== undefined) {
      tiles.current
        ?.querySelector<HTMLButtonElement>(`[data-item="${last.current}"] button`)
        ?.focus()
    }
    last.current = viewed
  }, [viewed])
  return tiles
}

function TileSkeleton() {
  return (
    <li className={classes.tile} aria-hidden>
      <span className={classes.frame} />
      <span className={classes.caption}>
        <TextSkeleton width={12} />
      </span>
    </li>
  )
}
