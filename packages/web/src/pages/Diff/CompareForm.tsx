import '@mantine/core/styles/Input.css'
import { Button, TextInput } from '@mantine/core'
import { stateName } from '@vitrine/contract'
import { type FormEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { namedState } from '../../data/named-state.ts'
import { paths } from '../../paths.ts'
import classes from './DiffPage.module.css'

/** Chooses two states of a dataset; the later one is now where nothing is typed. */
export function CompareForm({ datasetId, from }: { datasetId: string; from: number | undefined }) {
  const { datasetId: name, at } = namedState(datasetId)
  const navigate = useNavigate()
  const [earlier, setEarlier] = useState(from === undefined ? '' : String(from))
  const [later, setLater] = useState(at === undefined ? '' : String(at))
  const [error, setError] = useState<string>()
  const compare = (event: FormEvent) => {
    event.preventDefault()
    const [start, end] = [earlier, later].map((text) => text.trim().replaceAll(/[\s,]/g, ''))
    if (!isNumber.test(start!)) return setError('Type a number of items')
    if (end !== '' && !isNumber.test(end!)) return setError('Type a number of items, or nothing')
    if (end !== '' && Number(start) > Number(end))
      return setError('The second state is the later one')
    setError(undefined)
    const to = end === '' ? name : stateName({ name, at: Number(end) })
    void navigate(paths.diff(to, Number(start)))
  }
  return (
    <form className={classes.form} onSubmit={compare} noValidate>
      <TextInput
        label="From the state with so many items"
        inputMode="numeric"
        autoComplete="off"
        value={earlier}
        error={error}
        onChange={({ currentTarget }) => setEarlier(currentTarget.value)}
      />
      <TextInput
        label="to that with so many items"
        placeholder="now"
        inputMode="numeric"
        autoComplete="off"
        value={later}
        onChange={({ currentTarget }) => setLater(currentTarget.value)}
      />
      <Button type="submit" variant="default">
        Compare
      </Button>
    </form>
  )
}

const isNumber = /^\d{1,15}$/
