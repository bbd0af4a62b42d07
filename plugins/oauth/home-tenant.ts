// The tenant whose people keep their bare ids: configured, or the first one that is seen, kept in the database.
import type { Collection } from 'mongodb'
import type { StoredState } from './storage/rows.ts'

export interface HomeTenant {
  /** Undefined until a person was seen. */
  known(): Promise<string | undefined>
  /** Makes this tenant the home tenant when there is none yet; resolves with the home tenant. */
  of(tenantId: string): Promise<string>
}

const ROW = 'home-tenant'

export function createHomeTenant(
  configured: string | undefined,
  rows: Pick<Collection<StoredState>, 'findOne' | 'findOneAndUpdate'>
): HomeTenant {
  // It never changes once it is stored.
  let home = configured
  return {
    async known() {
      home ??= (await rows.findOne({ _id: ROW }))?.value
      return home
    },
    async of(tenantId) {
      if (home !== undefined) return home
      const kept = await rows.findOneAndUpdate(
        { _id: ROW },
        { $setOnInsert: { value: tenantId } },
        { upsert: true, returnDocument: 'after' }
      )
      home = kept?.value ?? tenantId
      return home
    }
  }
}
