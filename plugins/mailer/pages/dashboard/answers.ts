// The answers of the admin API as the dashboard reads them.
import type { AsJson } from '@keelson/ui'
import type { DashboardKpis } from '../../admin/setup/read-dashboard.ts'
import type { SetupStatus } from '../../admin/setup/setup-status.ts'
import type { AuditRow } from '../../ledger/audit-row.ts'
import type { FlowRow } from '../../ledger/flow-rows.ts'
import type { SendRow } from '../../ledger/send-row.ts'

/** `GET /dashboard`. */
export interface DashboardAnswer {
  readonly kpis: DashboardKpis
  /** Of the last 24 hours, oldest first. */
  readonly series: { readonly hourly: { readonly sends: number[]; readonly opens: number[] } }
  readonly health: { readonly status: null | 'healthy' | 'degraded' | 'tripped' }
  readonly queue: {
    readonly inFlight: number
    readonly delayed: number
    readonly providerOk: boolean
    readonly providerName: string
  }
  /** The pause of all marketing mail. */
  readonly pause?: { readonly reason: string; readonly by: string; readonly at: string } | null
  readonly recentFlows: readonly AsJson<Pick<FlowRow, 'slug' | 'name' | 'version' | 'updatedAt'>>[]
  readonly recentSends: readonly AsJson<
    Pick<SendRow, '_id' | 'emailAtSend' | 'externalId' | 'templateSlug' | 'status' | 'queuedAt'>
  >[]
  readonly recentAudit: readonly AsJson<
    Pick<AuditRow, '_id' | 'actor' | 'action' | 'resource' | 'at' | 'before' | 'after'>
  >[]
}

/** `GET /setup-status`. */
export type SetupAnswer = AsJson<SetupStatus>
