// What a host gives as code rather than as data: its contacts, its variables, its hooks.

import type { TelemetryStore } from '@keelson/telemetry/contracts'
import type { Db } from 'mongodb'
import type { MailCampaign } from '../contracts/mailer-campaigns.ts'
import type { MailContact, MailKind } from '../contracts/mailer-core.ts'
import type { ContactAdapter } from './adapter.ts'

/** The adapter, or what makes it from the mailer's database. */
export type ContactAdapterOption = ContactAdapter | ((db: Db) => ContactAdapter)

/** Why variables are resolved, and for which mail. */
export interface VarsRequest {
  readonly reason: 'send' | 'preview' | 'test'
  readonly templateSlug: string
  readonly flowSlug?: string
  /** The campaign of another plugin that sends it, as a program; its `ref` says what the mail is about. */
  readonly campaign?: MailCampaign
  readonly eventName?: string
  readonly eventProperties?: Readonly<Record<string, unknown>>
}

/** Variables of the host, as further roots beside `contact`, `vars` and `event`. */
export interface VarsAdapter {
  /** JSON Schema of what `resolve` answers; its properties are the roots. */
  readonly schema: Readonly<Record<string, unknown>>
  /** A throw fails the mail, which is tried again. */
  resolve(
    contact: MailContact,
    request: VarsRequest
  ): Promise<Readonly<Record<string, unknown>>> | Readonly<Record<string, unknown>>
}

/** A helper of templates: pure, synchronous, fast. What it returns is escaped like any value. */
export type TemplateHelper = (...args: readonly unknown[]) => unknown

/** Where mails are recorded as events, beside those of the host: see `mailTelemetryRegistry`. */
export interface MailTelemetry {
  readonly store: Pick<TelemetryStore, 'emit' | 'forget' | 'registry'>
  /** Whose events they are. */
  readonly tenantId: string
  /** Path of the page that shows a person's events, as `/telemetry/journey`. Default: no links. */
  readonly journeyPath?: string
}

/** Called with a mail that failed for good. */
export type OnSendFailure = (failure: {
  readonly sendId: string
  readonly externalId: string
  readonly templateSlug: string
  readonly kind: MailKind
  readonly reason: string
}) => void

/** A logger with optional methods, each taking fields and a message; `{}` is silent. */
export interface MailerLogger {
  error?(fields: object, message: string): void
  warn?(fields: object, message: string): void
  info?(fields: object, message: string): void
}
