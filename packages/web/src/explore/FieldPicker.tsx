import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { limits, rowFields, type ShownField } from '@vitrine/contract'
import { useApp } from '../app-context.tsx'
import { fieldNote } from '../values/field-note.ts'

type Props = {
  datasetId: string
  /** The names of the path so far; the last one is the field unless another follows. */
  names: readonly string[]
  onChange: (names: string[]) => void
  /** How many references lead here. */
  depth?: number
}

/** Picks a path: a field and, behind a reference, a field of what that leads to. */
export function FieldPicker({ datasetId, names, onChange, depth = 0 }: Props) {
  const { queries } = useApp()
  const { data: info } = useQuery(queries.datasetGet(datasetId))
  const [name = '', ...rest] = names
  const fields: readonly ShownField[] = [...(info?.schema ?? []), ...rowFields]
  const picked = fields.find((field) => field.name === name)
  return (
    <>
      <NativeSelect
        label={depth === 0 ? 'Field' : `Field of ${datasetId}`}
        value={name}
        onChange={({ currentTarget }) =>
          onChange(currentTarget.value === '' ? [] : [currentTarget.value])
        }
      >
        {depth > 0 && <option value="">the reference itself</option>}
        {fields.map((field) => (
          <option key={field.name} value={field.name}>
            {field.name} ({fieldNote({ type: field.type, target: field.target })})
          </option>
        ))}
      </NativeSelect>
      {picked?.target !== undefined && depth < limits.pathSteps && (
        <FieldPicker
          datasetId={picked.target}
          names={rest}
          onChange={(behind) => onChange([name, ...behind])}
          depth={depth + 1}
        />
      )}
    </>
  )
}
