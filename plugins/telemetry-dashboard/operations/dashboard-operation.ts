// What the operations of the dashboard share: what they are served with, who may call them, who is looking.
import type { Access, Actor, Viewer } from '@keelson/sdk'
import type { Queries, QueryLimits, Telemetry } from '@keelson/telemetry'
import type { Collection } from 'mongodb'
import type { SubjectAdapter } from '../contracts.ts'
import { dashboardRefusals as refusals } from '../refusals.ts'
import type { ConfiguredView } from '../views/view.ts'

/** What the operations are served with. */
export interface DashboardHost {
  readonly telemetry: Telemetry
  readonly queries: Queries
  readonly limits: QueryLimits
  /** The collection of saved views. */
  readonly savedViews: Collection
  readonly views: readonly ConfiguredView[]
  readonly subjectAdapter: SubjectAdapter | undefined
}

/** Bytes of a request body. */
export const BODY_LIMIT = 64 * 1024

/** Who may call: with their session alone where no scope is named, because a key or an erasure outlives a token. */
export const access = {
  read: { auth: 'viewer', scopes: ['telemetry:read'] },
  change: { auth: 'viewer', scopes: ['telemetry:write'] },
  administer: { auth: 'admin', scopes: ['telemetry:write'] },
  session: { auth: 'admin' }
} as const satisfies Readonly<Record<string, Access>>

/** The parts of every operation: a parameter that it does not know is an unknown filter. */
const shared = { openQuery: true, errors: refusals.only('validation_failed') } as const

/** The parts of an operation that reads. */
export const reading = { ...shared, method: 'GET', access: access.read, effect: 'read' } as const

/** The parts of an operation that changes something. */
export const changing = { ...shared, bodyLimit: BODY_LIMIT } as const

/** Who is looking. A viewer with an empty `viewerRef` counts as without: several would share private views. */
export function viewerOf({ tenantId, role = 'viewer', viewerRef }: Actor): Viewer {
  const hasRef = typeof viewerRef === 'string' && viewerRef.trim() !== ''
  return { tenantId, role, ...(hasRef && { viewerRef }) }
}
