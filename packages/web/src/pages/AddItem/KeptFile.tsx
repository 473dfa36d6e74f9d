import { Button } from '@mantine/core'
import type { SealedItem, ShownField } from '@vitrine/contract'
import { FieldCell } from '../../values/fields.tsx'
import { FieldFrame } from '../../values/FieldFrame.tsx'
import classes from './KeptFile.module.css'

type Props = {
  id: string
  datasetId: string
  item: SealedItem
  field: ShownField
  /** Lets another file take its place, or none. */
  onReplace: () => void
}

/** A file that an item keeps from the one that it corrects. */
export function KeptFile({ id, datasetId, item, field, onReplace }: Props) {
  const content = { datasetId, itemId: item.id, fieldName: field.name }
  return (
    <FieldFrame field={field} id={id} takes="the file stays" error={undefined}>
      <div className={classes.kept}>
        <FieldCell field={field} value={item.data[field.name]} content={content} words={[]} />
        <Button
          id={id}
          variant="default"
          size="compact-sm"
          aria-describedby={`${id}-takes`}
          onClick={onReplace}
        >
          {field.optional === true ? 'Replace or remove' : 'Replace'}
        </Button>
      </div>
    </FieldFrame>
  )
}
