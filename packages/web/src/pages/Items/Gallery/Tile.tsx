import { ActionIcon } from '@mantine/core'
import { IconMaximize } from '@tabler/icons-react'
import type { Item, Replacement, ShownField } from '@vitrine/contract'
import { paths } from '../../../paths.ts'
import { MarkedText } from '../../../ui/MarkedText.tsx'
import { RowLink } from '../../../ui/RowLink.tsx'
import { ReplacedMark } from '../../../values/ReplacedMark.tsx'
import classes from './Gallery.module.css'
import { TilePicture } from './TilePicture.tsx'

type Props = {
  datasetId: string
  item: Item
  caption: string
  /** State of the link to the item. */
  state: object | undefined
  /** Folded words that were looked for, to be marked in the caption. */
  words: readonly string[]
  field: ShownField | undefined
  replacement: Replacement | undefined
  onView: () => void
}

/** A picture with the name of its item, to which it leads. */
export function Tile({ item: { id, data }, ...props }: Props) {
  const { datasetId, caption, state, words, field, replacement, onView } = props
  return (
    <li className={classes.tile} data-item={id}>
      {field === undefined || data[field.name] === undefined ? (
        <span className={classes.frame}>no picture</span>
      ) : (
        <TilePicture
          key={field.name}
          place={{ datasetId, itemId: id, fieldName: field.name }}
          mime={field.mime ?? ''}
        />
      )}
      <RowLink to={paths.item(datasetId, id)} state={state}>
        <span dir="auto" className={classes.caption} title={caption}>
          <ReplacedMark replacement={replacement}>
            <MarkedText text={caption} words={words} />
          </ReplacedMark>
        </span>
      </RowLink>
      <ActionIcon
        variant="default"
        size="1.875rem"
        className={classes.view}
        aria-label={`View ${caption}`}
        title="View large"
        onClick={onView}
      >
        <IconMaximize size={16} aria-hidden />
      </ActionIcon>
    </li>
  )
}
