import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { pageSearch, typedPage } from './paging.ts'
import classes from './PageJump.module.css'

type Props = {
  page: number
  /** The last page, where it is known, counted from 0 as all are. */
  lastPage: number | undefined
}

/** Goes to the page whose number one types, counted from 1. */
export function PageJump({ page, lastPage }: Props) {
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  // What is being typed, until Enter, Escape or leaving.
  const [typed, setTyped] = useState<string>()
  return (
    <form
      className={classes.jump}
      onSubmit={(event) => {
        event.preventDefault()
        setTyped(undefined)
        const next = typedPage(typed ?? '', lastPage)
        if (next !== undefined && next !== page) {
          void navigate({ pathname, search: pageSearch(search, next) })
        }
      }}
    >
      <label>
        Page{' '}
        <input
          className={classes.number}
          inputMode="numeric"
          autoComplete="off"
          value={typed ?? String(page + 1)}
          onChange={({ currentTarget: { value } }) => setTyped(value)}
          onFocus={({ currentTarget }) => currentTarget.select()}
          onBlur={() => setTyped(undefined)}
          onKeyDown={({ key }) => {
            if (key === 'Escape') setTyped(undefined)
          }}
        />
      </label>
      {lastPage !== undefined && <span>of {(lastPage + 1).toLocaleString()}</span>}
    </form>
  )
}
