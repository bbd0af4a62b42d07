// Mails of alerts: sent in the name of who saved the rule, whose right the mailer checks each time.

import type { ActingMailer } from '@keelson/mailer/contracts'
import { type Actor, actorOfOwner } from '@keelson/sdk'
import type { AlertDelivery } from '../schemas/alerts.ts'
import type { StoredAlert } from '../storage/stored-alert.ts'

/** The part of the mailer that alerts need. */
export interface AlertMailer {
  as(actor: Actor): Pick<ActingMailer, 'sendOneOff' | 'notify' | 'allowed'>
}

type Owner = Pick<StoredAlert, 'ownerRef' | 'ownerName' | 'ownerTenant' | 'ownerRole'>

/** Who acts when a rule fires; undefined for a rule whose owner is unknown. */
export function ownerActor(owner: Owner, via: string): Actor | undefined {
  const { ownerRef, ownerName, ownerTenant, ownerRole } = owner
  if (ownerRef === null || ownerName === undefined || ownerTenant === undefined) return undefined
  const role = ownerRole === undefined ? {} : { role: ownerRole }
  const person = { tenantId: ownerTenant, viewerRef: ownerRef, name: ownerName, ...role }
  return actorOfOwner(person, via)
}

/** How a rule mails. */
export type Mail = NonNullable<AlertDelivery['mail']>

/** Whom a rule mails: addresses, or contacts. */
export const recipientsOf = (mail: Mail): readonly string[] =>
  'to' in mail ? mail.to : mail.externalIds

/** What a change says to the outside. */
export interface AlertMessage {
  readonly rule: { readonly name: string; readonly description: string }
  readonly state: string
  readonly summary: string
  readonly url?: string
}

/** The mail of a change in plain text. Pure. */
export function textMail({ rule, state, summary, url }: AlertMessage) {
  const subject = `[${state}] ${rule.name}`.replace(/[\r\n]+/g, ' ')
  const parts = [summary, rule.description, url ?? '']
  return { subject, text: `${parts.filter((part) => part !== '').join('\n\n')}\n` }
}

/** What the history of a rule says, whatever the mailer said: it must not tell what another tenant has. */
export const MAIL_PROBLEM =
  'the mail could not be sent: check the template, the contact, and that the person who saved the rule may send mail'
