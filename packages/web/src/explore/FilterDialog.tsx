import '@mantine/core/styles/Input.css'
import { Button, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { ValueType } from '@vitrine/contract'
import { useApp } from '../app-context.tsx'
import { createDatasetLookup } from '../describe/dataset-lookup.ts'
import { viewProblems } from '../describe/view-problems.ts'
import { ButtonRow } from '../ui/ButtonRow.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { FieldPicker } from './FieldPicker.tsx'
import classes from './FilterDialog.module.css'
import type { Filter } from './filters.ts'
import { OperandInput } from './OperandInput.tsx'
import { OperandItem } from './OperandItem.tsx'
import { enteredOperand, operandEntry, readOperand } from './operand-text.ts'
import { pathField } from './path-field.ts'
import {
  type Choice,
  choiceGroups,
  choiceKey,
  choicesFor,
  filterOf,
  simpleFilter,
  usualChoice,
} from './simple-filter.ts'
import { choiceText } from './filter-text.ts'

type Props = {
  datasetId: string
  /** The filter to change; undefined for a new one. */
  filter: Filter | undefined
  /** The path that a new one begins at; otherwise the first field. */
  startPath?: string | undefined
  onClose: () => void
  onDone: (filter: Filter) => void
}

/** Writes one filter: a field, an operator that fits it, a value. */
export function FilterDialog({ datasetId, filter, startPath, onClose, onDone }: Props) {
  const { client, queries, queryClient, features } = useApp()
  const lookup = useMemo(
    () => createDatasetLookup(queryClient, client, queries),
    [queryClient, client, queries],
  )
  const before = useMemo(() => filter && simpleFilter(filter), [filter])
  const { data: info } = useQuery(queries.datasetGet(datasetId))
  const [names, setNames] = useState((before?.path ?? startPath)?.split('.'))
  const path = (names ?? [info?.schema[0]?.name ?? 'id']).join('.')
  const { data: field } = useQuery(pathField({ queryClient, queries }, datasetId, path))
  const type = field?.type
  const [key, setKey] = useState(before && choiceKey(before))
  const [texts, setTexts] = useState(
    before ? enteredOperand(before.operator, before.operand) : [''],
  )
  const [problem, setProblem] = useState<string>()

  const choices = type === undefined ? [] : choicesFor(type)
  const choice = choices.find((each) => choiceKey(each) === key) ?? (type && usualChoice(type))
  const entered = choice && operandEntry(choice.operator)
  const takesItems = features.includes('labels') && (entered === 'one' || entered === 'list')
  const changeTexts = (next: string[]) => {
    setTexts(next)
    setProblem(undefined)
  }
  const form = useRef<HTMLFormElement>(null)
  const isReady = type !== undefined && choice !== undefined
  const hadFocus = useRef(false)
  useEffect(() => {
    // Once: going through the fields by keyboard must not move the focus out of the list.
    if (!isReady || hadFocus.current) return
    hadFocus.current = true
    form.current?.querySelector<HTMLElement>('[data-operand]')?.focus()
  }, [isReady])
  const submit = async () => {
    if (type === undefined || choice === undefined) return
    const operand = readOperand(choice.operator, choice.measure ?? type, texts)
    const made = filterOf({ ...choice, path, operand })
    const problems = await viewProblems({ base: datasetId, where: made }, lookup).catch(() => [])
    if (problems[0] === undefined) onDone(made)
    else setProblem(problems[0].reason)
  }
  return (
    <Dialog title={filter === undefined ? 'Add filter' : 'Change filter'} onClose={onClose}>
      <form
        ref={form}
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <FieldPicker
          datasetId={datasetId}
          names={path.split('.')}
          onChange={(next) => {
            setNames(next)
            setProblem(undefined)
          }}
        />
        <OperatorPicker
          type={type}
          picked={choice}
          onChange={(next) => {
            const isFlag = (each: string) => each === 'empty'
            if (choice && isFlag(next) !== isFlag(choice.operator)) setTexts([''])
            setKey(next)
            setProblem(undefined)
          }}
        />
        {choice === undefined || type === undefined ? null : field?.type === 'reference' &&
          takesItems ? (
          <OperandItem
            key={entered}
            field={field}
            isList={entered === 'list'}
            texts={texts}
            problem={problem}
            onChange={changeTexts}
          />
        ) : (
          <OperandInput
            operator={choice.operator}
            type={choice.measure ?? type}
            texts={texts}
            problem={problem}
            onChange={changeTexts}
          />
        )}
        <ButtonRow end>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit">{filter === undefined ? 'Add filter' : 'Change'}</Button>
        </ButtonRow>
      </form>
    </Dialog>
  )
}

type PickerProps = {
  /** Undefined until it is known. */
  type: ValueType | undefined
  picked: Choice | undefined
  onChange: (key: string) => void
}

/** Picks what is asked of a field. */
export function OperatorPicker({ type, picked, onChange }: PickerProps) {
  return (
    <NativeSelect
      label="Operator"
      value={picked && choiceKey(picked)}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    >
      {type !== undefined &&
        choiceGroups(type).map(({ label, choices }) => (
          <optgroup key={label} label={label}>
            {choices.map((choice) => (
              <option key={choiceKey(choice)} value={choiceKey(choice)}>
                {choiceText(choice)}
              </option>
            ))}
          </optgroup>
        ))}
    </NativeSelect>
  )
}
