// Ends a family whose person the host no longer knows.
import type { Origin } from '../audit/journal.ts'
import type { Services } from '../services.ts'
import type { StoredFamily } from '../storage/rows.ts'

type Owned = Pick<StoredFamily, 'clientId' | 'userId' | 'grantId'> & { readonly familyId: string }

export async function endOfUnknown(
  { clientId, userId, grantId, familyId }: Owned,
  origin: Origin,
  { revocations, journal }: Pick<Services, 'revocations' | 'journal'>
): Promise<void> {
  await revocations.end(
    {
      event: { type: 'oauth.unknown_person', clientId, userId, grantId },
      audit: { type: 'unknown_person', actor: 'client', origin }
    },
    (access) => access.ofFamily(familyId, 'the person is unknown'),
    journal
  )
}
