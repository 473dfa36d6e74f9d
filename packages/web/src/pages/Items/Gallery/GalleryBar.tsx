import '@mantine/core/styles/Input.css'
import { NativeSelect } from '@mantine/core'
import type { DatasetInfo } from '@vitrine/contract'
import { orderText, sortableTypes } from '../../../explore/sort-order.ts'
import classes from './GalleryBar.module.css'
import type { PictureField } from './use-picture-field.ts'
import type { TileSize } from './use-tile-size.ts'

type Props = {
  info: DatasetInfo | undefined
  size: TileSize
  picture: PictureField
  order: readonly string[] | undefined
  setOrder: ((order: string[] | undefined) => void) | undefined
}

/** Bar with the order, the picture field and the size, for which a table has headers and columns. */
export function GalleryBar({ info, size, picture, order, setOrder }: Props) {
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
    <div role="group" aria-label="Gallery" className={classes.bar}>
      {setOrder !== undefined && (
        <NativeSelect
          className={classes.choice}
          aria-label="Sort by"
          size="xs"
          value={order?.join(',') ?? ''}
          onChange={({ currentTarget: { value } }) =>
            setOrder(value === '' ? undefined : value.split(','))
          }
        >
          <option value="">As added</option>
          {orders(info, order).map((each) => (
            <option key={each} value={each}>
              {orderText(each.split(','))}
            </option>
          ))}
        </NativeSelect>
      )}
      {picture.fields.length > 1 && (
        <NativeSelect
          className={classes.choice}
          aria-label="Picture"
          size="xs"
          value={picture.field?.name}
          data={picture.fields.map(({ name }) => name)}
          onChange={({ currentTarget }) => picture.choose(currentTarget.value)}
        />
      )}
      <input
        type="range"
        className={classes.size}
        aria-label="Size of pictures"
        title="Size of pictures"
        min={0}
        max={size.lastStep}
        value={size.step}
        aria-valuetext={`${size.step + 1} of ${size.lastStep + 1}`}
        onChange={({ currentTarget }) => size.choose(Number(currentTarget.value))}
      />
    </div>
  )
}

/** Either way of each field that can be sorted by, and the order that is there. */
function orders(info: DatasetInfo | undefined, order: readonly string[] | undefined): string[] {
  const fields = info?.schema.filter(({ type }) => sortableTypes.includes(type)) ?? []
  const offered = ['id', ...fields.map(({ name }) => name)].flatMap((name) => [name, `-${name}`])
  const present = order?.join(',')
  return present === undefined || offered.includes(present) ? offered : [present, ...offered]
}
