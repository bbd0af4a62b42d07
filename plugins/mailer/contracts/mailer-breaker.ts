// mailer.breaker/v1: stops marketing mail of a sender domain for a reason that another plugin found.

import type { Said } from '@keelson/sdk'
import {
  type Capability,
  defineCapability,
  requiredFunctions
} from '@keelson/sdk/contracts/contract'
import { Type } from '@keelson/sdk/typebox'
import type { MailKind } from './mailer-core.ts'

/** Rates of a bucket: fractions from 0 to 1, null without mail. */
export interface BreakerRates {
  readonly bounceRate: number | null
  readonly hardBounceRate: number | null
  readonly complaintRate: number | null
  readonly failureRate: number | null
}

/** Why mail of a sender domain must stop. */
export interface BreakerEvidence {
  /** Lower case. */
  readonly senderDomain: string
  readonly kind: MailKind
  /** Who found it: the id of the plugin. Named in the audit log. */
  readonly by: string
  /** One sentence for people, shown beside the bucket and each held mail. */
  readonly reason: string
  /** The reason by its code, for pages in other languages. */
  readonly said?: Said
  /**
   * Names the evidence, as `postmaster:acme.test:2026-11-20`. The same evidence trips once: an operator who
   * resumes has judged it.
   */
  readonly evidenceId: string
}

/** How all mail together is, as dashboards show it. */
export interface MailHealth {
  /** That of the worst bucket; null before the first evaluation. */
  readonly status: 'healthy' | 'degraded' | 'tripped' | null
  readonly rates: BreakerRates | null
  /** Percent. */
  readonly thresholds: {
    readonly hardBounceRatePctTrip: number
    readonly complaintRatePctTrip: number
    readonly combinedBounceRatePctTrip: number
    readonly failedToSendRatePctDegrade: number
  }
}

/** Trips buckets of the circuit breaker, and shows their health. */
export interface MailBreaker {
  /**
   * Trips the bucket as if its own rates were over the limit: mail is held, broadcasts pause, the audit log
   * and the hook learn of it. Durable when it resolves, and safe to repeat.
   *
   * @returns `isNew` false when this evidence tripped the bucket before, or the bucket is tripped already
   */
  trip(evidence: BreakerEvidence): Promise<{ readonly isNew: boolean }>
  /** Reads every bucket. */
  health(): Promise<MailHealth>
}

/** Provided by the circuit breaker. Declare the use as optional: without it, findings are only shown. */
export const mailerBreaker: Capability<MailBreaker> = defineCapability<MailBreaker>(
  'mailer.breaker/v1',
  Type.Object(requiredFunctions('trip', 'health'))
)
