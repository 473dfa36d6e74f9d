import { plainText } from '@vitrine/contract'
import textClasses from '../ShowText.module.css'
import type { ShownValue } from '../value.ts'
import { Digits } from './Digits.tsx'

export function ShowNumber({ value }: ShownValue) {
  return (
    <p className={textClasses.text}>
      <Digits text={plainText(value)} />
    </p>
  )
}
