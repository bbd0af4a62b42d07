// mailer.verify-check/v1: a check of a rendered template, for agents and pre-flight.

import {
  defineExtensionPoint,
  type ExtensionPoint,
  requiredFunctions
} from '@keelson/sdk/contracts/contract'
import { Type } from '@keelson/sdk/typebox'
import type { MailContact, MailerCore, TemplateContent } from './mailer-core.ts'

/** A template rendered for one contact, exactly as it would be sent. */
export interface RenderedMail {
  readonly subject: string
  readonly preheader: string
  readonly fromName: string
  readonly fromEmail: string
  readonly replyTo: string | null
  readonly html: string
  readonly text: string
  /** Signed; null for transactional mail. */
  readonly unsubscribeUrl: string | null
}

/** What is checked. */
export interface VerifySubject {
  readonly template: TemplateContent
  readonly contact: MailContact
  /** null when it could not be rendered: the mailer's own check says why. */
  readonly rendered: RenderedMail | null
  /** The variables it was rendered with. */
  readonly vars: Readonly<Record<string, unknown>>
}

/** How a check came out. One `fail` makes the whole verification fail. */
export interface VerifyResult {
  readonly status: 'pass' | 'warn' | 'fail'
  /** One sentence; expected with `warn` and `fail`. */
  readonly message?: string
  /** What to do about it. */
  readonly fix?: string
  /** Plain data that a program can act on. */
  readonly detail?: Readonly<Record<string, unknown>>
}

/** What a check gets beside its subject. */
export interface VerifyContext {
  readonly now: Date
  /** Aborted when the time limit (10 s) is over. */
  readonly signal: AbortSignal
  readonly mailer: MailerCore
}

/** A check of a template's verification. */
export interface VerifyCheck {
  /** Unique in the answer: snake_case, as `lint`. */
  readonly id: string
  /**
   * null when it does not apply, and then it is not listed. Called once per template and contact; it must
   * change nothing. A throw or a time-out shows as `fail` with its message.
   */
  run(
    subject: VerifySubject,
    context: VerifyContext
  ): VerifyResult | null | Promise<VerifyResult | null>
}

/** Owned by the mailer. */
export const mailerVerifyCheck: ExtensionPoint<VerifyCheck> = defineExtensionPoint<VerifyCheck>(
  'mailer.verify-check/v1',
  Type.Object({
    id: Type.String({ pattern: '^[a-z][a-z0-9_]*$', maxLength: 64 }),
    ...requiredFunctions('run')
  })
)
