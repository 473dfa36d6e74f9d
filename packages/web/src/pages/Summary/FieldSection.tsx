import type { Comparison, Exploration, FieldSummary } from '@vitrine/contract'
import { plainText } from '@vitrine/contract'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { boundText } from '../../explore/bins.ts'
import { filtersOf, whereOf } from '../../explore/filters.ts'
import { valueComparison } from '../../explore/value-comparison.ts'
import { paths } from '../../paths.ts'
import { Facts } from '../../ui/Facts.tsx'
import { Section } from '../../ui/Section.tsx'
import { showBytes } from '../../ui/show-amounts.ts'
import { LabelledId } from '../../values/reference/LabelledId.tsx'
import { Bars } from './Bars.tsx'
import { Histogram } from './Histogram.tsx'
import classes from './SummaryPage.module.css'

type Props = {
  datasetId: string
  exploration: Omit<Exploration, 'order'>
  field: FieldSummary
  /** All items were looked at; of a part only the first numbers are shown. */
  isWhole: boolean
  /** Target of a reference, where its items have labels. */
  target: string | undefined
}

/** The values of one field; each leads to the items that have it. */
export function FieldSection({ datasetId, exploration, field, isWhole, target }: Props) {
  const { name, type, commonest, mediaTypes = [], histogram, lengths, bytes } = field
  const itemsWith = (comparison: Comparison | undefined) =>
    comparison &&
    paths.items(datasetId, {
      ...exploration,
      where: whereOf([...filtersOf(exploration.where), { [name]: comparison }]),
    })
  const within = (bounds: Comparison, measure?: 'length' | 'bytes') =>
    itemsWith(measure === undefined ? bounds : { [measure]: bounds })
  return (
    <Section title={name}>
      <Facts facts={isWhole ? factsOf(field, itemsWith) : factsOf(field, itemsWith).slice(0, 4)} />
      {isWhole && (
        <div className={classes.plots}>
          {histogram && (
            <Histogram
              label={`Values of ${name}`}
              bins={histogram}
              linkOf={(bounds) => within(bounds)}
            />
          )}
          {commonest.length > 0 && !doNearlyAllDiffer(field) && (
            <Bars
              label={`Commonest values of ${name}`}
              rows={commonest.map(({ value, count, cut }) => ({
                text: plainText(value) + (cut === true ? '…' : ''),
                ...(target !== undefined && {
                  content: <LabelledId target={target} id={Number(value)} />,
                }),
                count,
                to: itemsWith(withValue(type, value, cut)),
              }))}
            />
          )}
          {mediaTypes.length > 0 && (
            <Bars
              label={`Media types of ${name}`}
              rows={mediaTypes.map(({ mime, count }) => ({
                text: mime,
                count,
                to: itemsWith({ mime: { eq: mime } }),
              }))}
            />
          )}
          {lengths && (
            <Histogram
              label={`Lengths of ${name}, in characters`}
              bins={lengths.histogram}
              linkOf={(bounds) => within(bounds, 'length')}
            />
          )}
          {bytes && (
            <Histogram
              label={`Sizes of ${name}, in bytes`}
              bins={bytes.histogram}
              linkOf={(bounds) => within(bounds, 'bytes')}
            />
          )}
        </div>
      )}
    </Section>
  )
}

/** Values of which nine in ten are there once say nothing by a list of the commonest. */
function doNearlyAllDiffer({ distinct, present, commonest }: FieldSummary): boolean {
  return distinct > commonest.length && distinct > present * 0.9
}

function factsOf(field: FieldSummary, itemsWith: (comparison: Comparison) => string | undefined) {
  const { type, present, missing, distinct, estimated, least, greatest, mean, bytes } = field
  const about = estimated === true ? 'about ' : ''
  const to = itemsWith({ empty: true })
  // Of texts, '' is empty as well.
  const isLink = missing > 0 && to !== undefined && type !== 'string'
  const count = missing.toLocaleString()
  const withoutValue = isLink ? <Link to={to}>{count}</Link> : count
  const facts: [string, ReactNode][] = [
    ['type', type],
    ['present', present.toLocaleString()],
    ['missing', withoutValue],
    ['different', about + distinct.toLocaleString()],
  ]
  if (least !== undefined) facts.push(['least', boundText(least)])
  if (greatest !== undefined) facts.push(['greatest', boundText(greatest)])
  if (mean !== undefined) {
    const isNumber = typeof mean === 'number'
    facts.push(['mean', isNumber ? mean.toLocaleString(undefined, digits) : boundText(mean)])
  }
  if (bytes !== undefined) facts.push(['in all', showBytes(bytes.total)])
  return facts
}

const digits = { maximumSignificantDigits: 6 }

/** Returns the comparison for one of the commonest values, of which a long one is known by its beginning. */
function withValue(
  type: string,
  value: NonNullable<FieldSummary['least']>,
  isCut = false,
): Comparison | undefined {
  const comparison = valueComparison(type, value)
  return comparison && isCut ? { starts_with: plainText(value) } : comparison
}
