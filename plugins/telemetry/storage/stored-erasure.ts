// An entry of the log of erasures as it is stored.
import type { ErasureOrder } from '../contracts/telemetry-store.ts'
import type { Erasure } from '../schemas/system.ts'

/** An erasure as stored; without `did` it has not ended, or its process was killed. */
export interface StoredErasure extends ErasureOrder {
  _id: string
  at: Date
  tenantId: string
  pseudonym: string
  did?: NonNullable<Erasure['did']>
}
