// mailer.publish-gate/v1: refuses to publish a template.

import {
  defineExtensionPoint,
  type ExtensionPoint,
  optionalFunctions,
  requiredFunctions
} from '@keelson/sdk/contracts/contract'
import { Type } from '@keelson/sdk/typebox'
import type { MailerCore, TemplateContent } from './mailer-core.ts'

/** Why a template may not be published: the body of the answer, with status 422. */
export interface PublishRefusal {
  /** A stable code in snake_case, as `lint_failed`. */
  readonly error: string
  /** One sentence for people. */
  readonly message: string
  /** What else the answer shows, as `lint` or `score`. */
  readonly [detail: string]: unknown
}

/** What a gate gets beside the template. */
export interface PublishContext {
  readonly now: Date
  /** Aborted when the time limit (10 s) is over. */
  readonly signal: AbortSignal
  /** Who publishes, as the audit log names them. */
  readonly actor: string
  /** The body of the publish request, as `{ bypassContentScorer: true }`. */
  readonly options: Readonly<Record<string, unknown>>
  readonly mailer: MailerCore
}

/** A gate before a template is published, by the admin API, by an agent or in code. */
export interface PublishGate {
  /** Unique among the gates: kebab-case. */
  readonly name: string
  /**
   * null lets the template go. Called with the draft, compiled; gates are asked in the order of their
   * plugins and the first refusal wins. A throw or a time-out refuses with the code `gate_failed`, naming
   * the gate.
   */
  check(
    template: TemplateContent,
    context: PublishContext
  ): PublishRefusal | null | Promise<PublishRefusal | null>
  /**
   * Keys added to the answer of a publish that went through, as `{ lint: { warnings, infos } }`. Called
   * after `check`, with the same arguments. A throw is logged and adds nothing.
   */
  report?(
    template: TemplateContent,
    context: PublishContext
  ): Readonly<Record<string, unknown>> | Promise<Readonly<Record<string, unknown>>>
}

/** Owned by the mailer. */
export const mailerPublishGate: ExtensionPoint<PublishGate> = defineExtensionPoint<PublishGate>(
  'mailer.publish-gate/v1',
  Type.Object({
    name: Type.String({ pattern: '^[a-z][a-z0-9-]*$', maxLength: 64 }),
    ...requiredFunctions('check'),
    ...optionalFunctions('report')
  })
)
