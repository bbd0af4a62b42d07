// mailer.setup-check/v1: a line on the mailer's setup list.

import type { Said } from '@keelson/sdk'
import {
  defineExtensionPoint,
  type ExtensionPoint,
  requiredFunctions
} from '@keelson/sdk/contracts/contract'
import { Type } from '@keelson/sdk/typebox'
import type { MailerCore } from './mailer-core.ts'

/** How a check came out. The worst one is the overall state. */
export type SetupSeverity = 'ok' | 'warn' | 'error'

/** One item of a check that is a list itself, as the rules that one domain must meet. */
export interface SetupItem {
  readonly label: string
  readonly severity: SetupSeverity
  readonly message: string
  /** The sentences of the message by their codes, for pages in other languages. */
  readonly said?: Said
  /** What to do, as exact as possible: a record to publish, a setting to change. */
  readonly hint?: string
  readonly hintSaid?: Said
}

/** What a check found. */
export interface SetupResult {
  readonly severity: SetupSeverity
  /** One sentence for people. */
  readonly message: string
  /** The sentences of the message by their codes, for pages in other languages. */
  readonly said?: Said
  /** What to do about it. */
  readonly hint?: string
  readonly hintSaid?: Said
  /** The page that shows what was found, as `/admin/mailer/sends?status=unknown`. */
  readonly href?: string
  /** Shown when the line is opened. */
  readonly items?: readonly SetupItem[]
}

/** What a check gets. */
export interface SetupContext {
  readonly now: Date
  /** Aborted when the time limit (5 s) is over. */
  readonly signal: AbortSignal
  readonly mailer: MailerCore
}

/** A check of the setup list. */
export interface SetupCheck {
  /** Unique on the list: kebab-case or snake_case. */
  readonly name: string
  /** What is checked, for people. */
  readonly label: string
  /**
   * Called when the list is read, side by side with the other checks: read what your jobs stored, do not
   * ask the network. A throw or a time-out shows as `error` with its message.
   */
  run(context: SetupContext): SetupResult | Promise<SetupResult>
}

/** Owned by the mailer. */
export const mailerSetupCheck: ExtensionPoint<SetupCheck> = defineExtensionPoint<SetupCheck>(
  'mailer.setup-check/v1',
  Type.Object({
    name: Type.String({ pattern: '^[a-z][a-z0-9_-]*$', maxLength: 64 }),
    label: Type.String({ minLength: 1, maxLength: 120 }),
    ...requiredFunctions('run')
  })
)
