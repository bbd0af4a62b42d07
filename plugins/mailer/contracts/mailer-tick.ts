// mailer.tick/v1: recurring work beside the mailer's own.

import {
  defineExtensionPoint,
  type ExtensionPoint,
  requiredFunctions
} from '@keelson/sdk/contracts/contract'
import { Type } from '@keelson/sdk/typebox'
import type { FastifyBaseLogger } from 'fastify'
import type { MailerCore } from './mailer-core.ts'

/** What a task gets at each run. */
export interface MailerTick {
  /** The time of this run, from the platform's clock. */
  readonly now: Date
  /** Aborted when the time limit is over or the host closes. Give it to what you await. */
  readonly signal: AbortSignal
  readonly log: FastifyBaseLogger
  readonly mailer: MailerCore
}

/** A task of the mailer's tick. */
export interface TickTask {
  /** Unique among the tasks: kebab-case. Shown in logs, metrics and setup status. */
  readonly name: string
  /** Seconds between runs. Default: with every tick (15 s unless the mailer's config says otherwise). */
  readonly everySeconds?: number
  /** Seconds a run may take. Default 10, maximum 300. Longer work belongs in your own job. */
  readonly timeoutSeconds?: number
  /**
   * Called in one process of the platform at a time, after the mailer's own work; tasks run side by side
   * and runs of one task never overlap. It must be safe to repeat. A throw or a time-out is logged,
   * counted and shown in setup status, and changes nothing for the other tasks; it runs again when due.
   */
  run(tick: MailerTick): Promise<void> | void
}

/** Owned by the mailer. */
export const mailerTick: ExtensionPoint<TickTask> = defineExtensionPoint<TickTask>(
  'mailer.tick/v1',
  Type.Object({
    name: Type.String({ pattern: '^[a-z][a-z0-9-]*$', maxLength: 64 }),
    everySeconds: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
    timeoutSeconds: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 300 })),
    ...requiredFunctions('run')
  })
)
