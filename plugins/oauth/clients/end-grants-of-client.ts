// Ends the grants of a client in batches, each with its event: those that `isOver` says, by default all.
import type { RevocationCounts } from '../grants/access.ts'
import type { OAuthGrant } from '../storage/rows.ts'
import type { StoreParts } from './store-parts.ts'

const BATCH = 500

export interface WhichGrants {
  readonly isOver?: (grant: OAuthGrant) => Promise<boolean>
}

/** One that is killed is repeated: grants that had ended are not told again. */
export async function endGrantsOfClient(
  clientId: string,
  { isOver }: WhichGrants,
  { collections, revocations, journal }: Pick<StoreParts, 'collections' | 'revocations' | 'journal'>
): Promise<RevocationCounts> {
  const sum = { grantsRevoked: 0, tokensRevoked: 0 }
  let batch: OAuthGrant[] = []
  const end = async () => {
    if (batch.length === 0) return
    const ended = await revocations.endGrants(batch, 'admin', journal)
    batch = []
    sum.grantsRevoked += ended.grantsRevoked
    sum.tokensRevoked += ended.tokensRevoked
  }
  const rows = collections.grants.find({ clientId, revokedAt: null }).batchSize(BATCH)
  for await (const grant of rows) {
    if (isOver !== undefined && !(await isOver(grant))) continue
    batch.push(grant)
    if (batch.length === BATCH) await end()
  }
  await end()
  return sum
}
