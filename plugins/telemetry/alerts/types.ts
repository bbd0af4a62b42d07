// Alerts: what a rule says, what its state can be, and what `telemetry.alerts` offers.

/** What a rule measures, over the window that ends now. */
export type AlertSignal =
  | {
      readonly source: 'series'
      /** Equality terms as of a records read: kind, name, severity, env, service, release, subject, fingerprint. */
      readonly filters?: Readonly<Partial<Record<AlertFilter, string>>>
      /** Attribute to value. */
      readonly attrs?: Readonly<Record<string, string>>
      /** `count` (default), `sum:<metric>` or `avg:<metric>`. */
      readonly measure?: string
    }
  | {
      readonly source: 'rollup'
      /** A bucketed family. Windows are widened to whole buckets of it. */
      readonly as: string
      /** Documents with any of these; all when left out. At most 100. */
      readonly dims?: readonly string[]
      /** `count` (default) or `sum:<metric>`. */
      readonly measure?: string
    }
  | {
      readonly source: 'distinct'
      /** A bucketed family by subject alone. */
      readonly as: string
      readonly subjectType?: string
    }
  | {
      readonly source: 'funnel'
      /** Lifetime families by subject alone; the first is the anchor. */
      readonly stages: readonly string[]
      /** The stage whose number is watched; the last when left out. */
      readonly stage?: string
      /** `pctOfFirst` (default), `pctOfPrevious` or `subjects`. */
      readonly value?: 'pctOfFirst' | 'pctOfPrevious' | 'subjects'
      readonly subjectType?: string
    }

export const ALERT_FILTERS = [
  'kind',
  'name',
  'severity',
  'env',
  'service',
  'release',
  'subject',
  'fingerprint'
] as const
export type AlertFilter = (typeof ALERT_FILTERS)[number]

/** When a rule fires. */
export type AlertCondition =
  | { readonly type: 'threshold'; readonly op: 'above' | 'below'; readonly value: number }
  /** Against the window before this one. From nothing to something is a rise beyond any percentage. */
  | { readonly type: 'change'; readonly op: 'rise' | 'drop'; readonly percent: number }
  /** Nothing was recorded in the window. */
  | { readonly type: 'no-data' }

export interface AlertDelivery {
  /** Posted to on firing and resolved, signed after the Standard Webhooks specification. */
  readonly webhook?: { readonly url: string }
  /** Sent with the mailer, when there is one: a published template, and contacts by external id (at most 20). */
  readonly mail?: { readonly templateSlug: string; readonly externalIds: readonly string[] }
}

/** A rule as it is given. */
export interface AlertRuleSpec {
  /** 1 to 120 characters, unique within the tenant. */
  readonly name: string
  readonly description?: string
  /** Default true. */
  readonly enabled?: boolean
  readonly signal: AlertSignal
  readonly condition: AlertCondition
  /** 5 to 44,640 (31 days). */
  readonly windowMinutes: number
  readonly deliver?: AlertDelivery
}

/**
 * `ok`: the condition does not hold. `firing`: it holds. `resolved`: it held, and stopped within the last
 * window; then `ok` again.
 */
export const ALERT_STATES = ['ok', 'firing', 'resolved'] as const
export type AlertState = (typeof ALERT_STATES)[number]

/** A rule as it is shown. */
export interface AlertRule extends Required<Pick<AlertRuleSpec, 'name' | 'enabled'>> {
  readonly id: string
  readonly tenantId: string
  readonly description: string
  readonly signal: AlertSignal
  readonly condition: AlertCondition
  readonly windowMinutes: number
  readonly deliver: AlertDelivery
  readonly ownerRef: string | null
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly state: AlertState
  /** Since when it has been in this state. */
  readonly since: Date
  readonly evaluatedAt: Date | null
  /** What was measured last; null when there was nothing to measure. */
  readonly value: number | null
  /** Why it could not be evaluated last time; its state stays. */
  readonly problem: string | null
}

export const DELIVERY_STATES = ['due', 'sent', 'failed'] as const

export interface AlertDeliveryState {
  readonly channel: 'webhook' | 'mail'
  /** The webhook's host, or a contact. */
  readonly target: string
  readonly state: (typeof DELIVERY_STATES)[number]
  readonly attempts: number
  /** Why the last attempt failed. */
  readonly problem: string | null
}

/** A change of state. */
export interface AlertChange {
  readonly id: string
  readonly ruleId: string
  readonly ruleName: string
  readonly tenantId: string
  readonly at: Date
  readonly from: AlertState
  readonly to: AlertState
  readonly value: number | null
  /** The window before, for rules against it. */
  readonly previous: number | null
  /** One sentence for people. */
  readonly summary: string
  readonly deliveries: readonly AlertDeliveryState[]
}

export interface AlertPreview {
  /** How often it would have fired. */
  readonly fired: number
  readonly changes: readonly {
    readonly at: Date
    readonly from: AlertState
    readonly to: AlertState
    readonly value: number | null
  }[]
  /** What each evaluation would have measured, ascending. */
  readonly points: readonly { readonly at: Date; readonly value: number | null }[]
  /** Minutes between evaluations of this preview. */
  readonly stepMinutes: number
  /** `from` was moved: the range held more evaluations than may be made. */
  readonly truncated: boolean
}

/** Who asks: a viewer as the host resolves it. `*` sees the rules of all tenants and has its own. */
export interface AlertViewer {
  readonly tenantId: string
  readonly role: string
  readonly viewerRef?: string
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
  /** Evaluates the rules that are due and sends what is due. The kernel's job calls it each minute. */
  tick(signal?: AbortSignal): Promise<{ readonly evaluated: number; readonly sent: number }>
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
