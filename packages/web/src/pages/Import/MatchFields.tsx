import '@mantine/core/styles/Input.css'
import { TextInput } from '@mantine/core'
import { idMatches, limits } from '@vitrine/contract'
import type { Matching } from './import-choice.ts'
import classes from './ImportForm.module.css'

type Props = {
  /** Fields that the file has columns for, and the names in `idMatches` where it has columns for these. */
  fields: readonly string[]
  /** Undefined where every row is a new item. */
  matching: Matching | undefined
  onChange: (matching: Matching | undefined) => void
}

/** Chooses by what the rows of a file are matched with items, which they then correct, and says why. */
export function MatchFields({ fields, matching, onChange }: Props) {
  const toggle = (name: string, isChosen: boolean) => {
    const { match, reason } = matching!
    // An item has one id: other fields beside it tell nothing more.
    const isAlone = idMatches.includes(name)
    const others = match.filter((each) => each !== name && !isAlone && !idMatches.includes(each))
    onChange({ match: isChosen ? [...others, name] : others, reason })
  }
  return (
    <>
      <label className={classes.check}>
        <input
          type="checkbox"
          checked={matching !== undefined}
          onChange={({ currentTarget }) =>
            onChange(currentTarget.checked ? { match: [], reason: '' } : undefined)
          }
        />
        Correct items that are there already
      </label>
      {matching !== undefined && (
        <div className={classes.matching}>
          <fieldset>
            <legend>A row is for the item with the same</legend>
            {fields.map((name) => (
              <label key={name} className={classes.check}>
                <input
                  type="checkbox"
                  checked={matching.match.includes(name)}
                  onChange={({ currentTarget }) => toggle(name, currentTarget.checked)}
                />
                {name === 'id.replaces' ? (
                  <span>
                    id as in its <bdi>id.replaces</bdi> or <bdi>id.withdraws</bdi>
                  </span>
                ) : (
                  <bdi>{name}</bdi>
                )}
              </label>
            ))}
          </fieldset>
          <TextInput
            label="Reason"
            description="Says for ever why the items were corrected."
            required
            maxLength={limits.reasonLength}
            value={matching.reason}
            onChange={({ currentTarget }) => onChange({ ...matching, reason: currentTarget.value })}
          />
          <p className={classes.about}>
            Where another value differs, the row replaces its item; a row that no item is like is
            added. What the file has no column for stays. You see the difference before anything is
            changed.
          </p>
        </div>
      )}
    </>
  )
}
