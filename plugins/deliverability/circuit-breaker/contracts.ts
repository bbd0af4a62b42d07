// mailer.breaker-hook/v1: learns of trips and resumes of the circuit breaker.

import type { BreakerRates, MailKind } from '@keelson/mailer/contracts'
import type { Said } from '@keelson/sdk'
import {
  defineExtensionPoint,
  type ExtensionPoint,
  requiredFunctions
} from '@keelson/sdk/contracts/contract'
import { Type } from '@keelson/sdk/typebox'

/** A bucket that tripped or was resumed. */
export interface BreakerChange {
  readonly action: 'health.trip' | 'health.resume'
  readonly at: Date
  /** `system:circuit-breaker`, `system:<plugin>`, `human:<email>` or `agent:<name>`. */
  readonly actor: string
  /** null for mail whose From address has no domain. */
  readonly senderDomain: string | null
  readonly kind: MailKind
  /** Why it tripped, as one sentence. */
  readonly reason: string | null
  /** The reason by its code. */
  readonly said?: Said
  /** As they were when it tripped. */
  readonly rates: BreakerRates
}

/** Code that is called after a change. */
export interface BreakerHook {
  /** Kebab-case. */
  readonly name: string
  /**
   * Called in one process, once the change is durable and the audit log has it. A process that ends
   * meanwhile leads to a second call. A throw is logged and changes nothing.
   */
  onChange(change: BreakerChange): Promise<void> | void
}

/** Owned by the circuit breaker. */
export const mailerBreakerHook: ExtensionPoint<BreakerHook> = defineExtensionPoint<BreakerHook>(
  'mailer.breaker-hook/v1',
  Type.Object({
    name: Type.String({ pattern: '^[a-z][a-z0-9-]*$', maxLength: 64 }),
    ...requiredFunctions('onChange')
  })
)
