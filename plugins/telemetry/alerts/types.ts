// What `telemetry.alerts` offers.
import type { Actor } from '@keelson/sdk'
import type { AlertChange, AlertPreview, AlertRule } from '../schemas/alerts.ts'

/** Who asks: a viewer as the host resolves it. `*` sees the rules of all tenants and has its own. */
export interface AlertViewer {
  readonly tenantId: string
  readonly role: string
  readonly viewerRef?: string
  /** Who acts, as audit logs name them. Default: the person of the ref. */
  readonly actor?: Actor
}

/**
 * Rules of the viewer's scope. Every viewer reads and previews; changing needs role admin. What cannot be
 * done throws AlertError, whose status and message are meant for the caller.
 */
export interface Alerts {
  /** Rules by name, at most 200: the tenant's own, under `*` those of all tenants. */
  list(viewer: AlertViewer): Promise<{ readonly rules: readonly AlertRule[] }>
  /**
   * Makes a rule, or replaces the one with `id`. A new webhook address gets a new secret, which is
   * answered this once.
   */
  save(
    viewer: AlertViewer,
    spec: unknown,
    id?: string
  ): Promise<{ readonly id: string; readonly webhookSecret?: string }>
  /** With its history. 0 when there is none of that id in the viewer's scope. */
  remove(viewer: AlertViewer, id: string): Promise<{ readonly removed: 0 | 1 }>
  /** Newest first; of one rule when `ruleId` is given. At most, and by default, 100. */
  history(
    viewer: AlertViewer,
    options?: { readonly ruleId?: string; readonly limit?: number }
  ): Promise<{ readonly changes: readonly AlertChange[] }>
  /** What the rule would have done in the past: "would have fired 3 times last month". Stores nothing. */
  preview(
    viewer: AlertViewer,
    spec: unknown,
    range: { readonly from: Date; readonly to: Date }
  ): Promise<AlertPreview>
  /**
   * Evaluates the rules that are due, as a job of the host does each minute; messages follow from a queue. Resolves
   * to how many there were: none while another process is at it.
   */
  evaluate(signal?: AbortSignal): Promise<number>
}

/** What a viewer asked for cannot be done. */
export class AlertError extends Error {
  override readonly name = 'AlertError'
  readonly status: 400 | 403 | 404
  /** Read by Fastify's error handling. */
  readonly statusCode: 400 | 403 | 404

  constructor(status: 400 | 403 | 404, message: string) {
    super(message)
    this.status = status
    this.statusCode = status
  }
}
