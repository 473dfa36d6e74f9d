import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { verifyItem } from '@vitrine/client'
import {
  canonicalText,
  plainText,
  type DatasetInfo,
  type SchemaField,
  type SealedItem,
  type ShownField,
} from '@vitrine/contract'
import { Link } from 'react-router'
import { useApp } from '../../app-context.tsx'
import { createKnownLogs } from '../../data/known-logs.ts'
import { namedState } from '../../data/named-state.ts'
import { sha256 } from '../../data/sha256.ts'
import { paths } from '../../paths.ts'
import { Details } from '../../ui/Details.tsx'
import { DigestOutcome, type ReceivedDigest } from '../../ui/DigestOutcome.tsx'
import { ErrorBox } from '../../ui/ErrorBox.tsx'
import { Hash } from '../../ui/Hash.tsx'
import { Section } from '../../ui/Section.tsx'
import { DownloadButton } from '../../values/binary/DownloadButton.tsx'
import { ForgetLog } from '../ForgetLog.tsx'
import { ProofChecks, ProofOutcome } from '../ProofChecks.tsx'
import proofClasses from '../ProofChecks.module.css'
import classes from './ItemSeal.module.css'

type SealedValue = { field: ShownField; digest: string }

type Props = {
  datasetId: string
  info: DatasetInfo
  item: SealedItem
  /** The repository that has the item; undefined until it is known. */
  repo: string | undefined
}

/**
 * Verifies an item in one act: each of its values against its digest, and where the server has a log, that the signed
 * log of the repository has the item with these digests.
 */
export function ItemSeal({ datasetId, info, item, repo }: Props) {
  const { client, queries, features } = useApp()
  const queryClient = useQueryClient()
  const hasLog = features.includes('log')
  const logs = createKnownLogs(localStorage)
  const { at } = namedState(datasetId)
  const values = sealedValues(info, item)
  const bytesOf = async ({ field }: SealedValue): Promise<Blob> =>
    field.type === 'binary'
      ? queryClient.fetchQuery(queries.datasetFieldGet(datasetId, item.id, field.name))
      : new Blob([canonicalText(field as SchemaField, item.data[field.name]!)])
  const verify = useMutation({
    mutationFn: async () => {
      const received = new Map<string, ReceivedDigest>()
      for (const each of values) {
        received.set(
          each.field.name,
          await bytesOf(each)
            .then(async (bytes) => ({ digest: await sha256(bytes, { onProgress: () => {} }) }))
            .catch((error: Error) => ({ error: error.message })),
        )
      }
      if (!hasLog || repo === undefined) return { received }
      const knownLog = logs.find(repo)
      const proof = await verifyItem(client, { repo, itemId: item.id }, { known: knownLog, sha256 })
      if (proof.known !== undefined) logs.keep(repo, proof.known)
      return { received, proof }
    },
  })
  if (values.length === 0 && !hasLog) return null
  const { received, proof } = verify.data ?? {}
  const hasWrong = values.some(({ field, digest }) => {
    const result = received?.get(field.name)
    return result !== undefined && !('digest' in result && result.digest === digest)
  })
  const failed = proof?.checks.filter(({ passed }) => passed === false) ?? []
  const isGood = !hasWrong && failed.length === 0
  return (
    <div className={proofClasses.proof}>
      <Section title="Seal">
        <p className={proofClasses.intro}>
          Every value is sealed by its sha256
          {hasLog && (
            <>
              , and the log of <LogOwner info={info} repo={repo} /> has an entry of each item
            </>
          )}
          . This browser checks it with what it receives.
        </p>
        <div className={proofClasses.act}>
          <Button
            variant="default"
            onClick={() => verify.mutate()}
            disabled={verify.isPending || (hasLog && repo === undefined)}
          >
            Verify all
          </Button>
          {hasLog && (
            <DownloadButton
              label="Download the proof"
              disabled={repo === undefined}
              content={() => client.logProof({ datasetId: repo!, itemId: item.id, size: at })}
              fileName={`${datasetId}-${item.id}.tlog-proof`}
            />
          )}
          <output>
            {verify.isPending && 'checking…'}
            {verify.data && (
              <ProofOutcome
                isGood={isGood}
                text={isGood ? 'The item is what was added.' : 'The item is not proven.'}
              />
            )}
          </output>
        </div>
        {verify.error && <ErrorBox error={verify.error} onRetry={() => verify.mutate()} />}
        {proof && <ProofChecks checks={proof.checks} />}
        {repo !== undefined && failed.some(({ name }) => name === 'consistency') && (
          <ForgetLog repo={repo} onForgotten={() => verify.mutate()} />
        )}
        {values.length > 0 && (
          <Details
            key={String(hasWrong)}
            summary="Digests"
            isOpen={hasWrong || !features.includes('media')}
          >
            <dl className={classes.digests}>
              {values.map(({ field: { name }, digest }) => (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>
                    <Hash sha256={digest} />
                    {received && <DigestOutcome digest={digest} received={received.get(name)!} />}
                  </dd>
                </div>
              ))}
            </dl>
          </Details>
        )}
      </Section>
    </div>
  )
}

/** The values that have digests. Each server has those of files: they are their values. */
function sealedValues({ schema }: DatasetInfo, { data, integrity }: SealedItem): SealedValue[] {
  return schema.flatMap((field) => {
    const value = data[field.name]
    if (value === undefined) return []
    const digest = field.type === 'binary' ? plainText(value) : integrity?.[field.name]?.sha256
    return digest === undefined ? [] : [{ field, digest }]
  })
}

function LogOwner({ info, repo }: Pick<Props, 'info' | 'repo'>) {
  if (repo === undefined || repo === info.name) return 'this repository'
  return <Link to={paths.dataset(repo)}>{repo}</Link>
}
