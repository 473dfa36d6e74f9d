import '@mantine/core/styles/Input.css'
import { Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { limits } from '@vitrine/contract'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useApp } from '../../app-context.tsx'
import { itemsChanged } from '../../data/changes.ts'
import { useCommands } from '../../palette/screen-commands.ts'
import { paths } from '../../paths.ts'
import { ButtonLink } from '../../ui/ButtonLink.tsx'
import { ButtonRow } from '../../ui/ButtonRow.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { ErrorBox } from '../../ui/ErrorBox.tsx'
import classes from './ItemVersions.module.css'

type Props = {
  repo: string
  itemId: string
  isWithdrawn: boolean
}

/** Leads to the correction of an item, and withdraws it. */
export function CorrectionActions({ repo, itemId, isWithdrawn }: Props) {
  const [isAsking, setAsking] = useState(false)
  const to = paths.correctItem(repo, itemId)
  useCommands([
    { label: isWithdrawn ? 'Bring item back' : 'Correct item', to },
    ...(isWithdrawn ? [] : [{ label: 'Withdraw item', run: () => setAsking(true) }]),
  ])
  return (
    <>
      <ButtonLink to={to} variant="default">
        {isWithdrawn ? 'Bring back' : 'Correct'}
      </ButtonLink>
      {!isWithdrawn && (
        <Button variant="default" onClick={() => setAsking(true)}>
          Withdraw
        </Button>
      )}
      {isAsking && <WithdrawDialog repo={repo} itemId={itemId} onClose={() => setAsking(false)} />}
    </>
  )
}

type DialogProps = { repo: string; itemId: string; onClose: () => void }

function WithdrawDialog({ repo, itemId, onClose }: DialogProps) {
  const { client, queryClient } = useApp()
  const navigate = useNavigate()
  const [reason, setReason] = useState('')
  const withdrawing = useMutation({
    mutationFn: () => client.itemWithdraw({ datasetId: repo, itemId, body: { reason } }),
    onSuccess: async ({ id }) => {
      await itemsChanged(queryClient)
      await navigate(paths.item(repo, id))
    },
  })
  return (
    <Dialog title={`Withdraw item ${itemId}?`} onClose={onClose}>
      <p>
        It stays where it is, and says that it was withdrawn, and why. The repository gets an item
        that repeats its values and withdraws it.
      </p>
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault()
          withdrawing.mutate()
        }}
      >
        <TextInput
          label="Reason"
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          maxLength={limits.reasonLength}
          autoComplete="off"
          dir="auto"
          required
          withAsterisk={false}
          data-autofocus
        />
        {withdrawing.error && <ErrorBox error={withdrawing.error} />}
        <ButtonRow end>
          <Button variant="default" onClick={onClose}>
            Keep it
          </Button>
          <Button
            type="submit"
            color="var(--danger-strong)"
            disabled={reason.trim() === ''}
            loading={withdrawing.isPending}
          >
            Withdraw item
          </Button>
        </ButtonRow>
      </form>
    </Dialog>
  )
}
