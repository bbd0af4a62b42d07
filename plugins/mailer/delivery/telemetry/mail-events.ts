// Mails as events of telemetry: what each event holds, and what is added up. Pure.

import type {
  AttrSpec,
  EmitRecord,
  EventSpec,
  RegistrySpec,
  RollupSpec
} from '@keelson/telemetry/contracts'
import type { MailOutcome, MailOutcomeType } from '../../contracts/mailer-core.ts'
import { MAIL_EVENT_LABELS } from './mail-event-labels.ts'

/** Type of the subjects that contacts are: the same refs as in the host's own events. */
export const SUBJECT_TYPE = 'user'

const ATTRS: Readonly<Record<string, AttrSpec>> = {
  template: { required: true, description: 'Slug of the template.' },
  kind: { required: true, values: ['marketing', 'transactional'] },
  provider: { description: 'Name of the provider that has the mail.' },
  broadcast: { description: 'Slug of the broadcast that it belongs to.' },
  flow: { description: 'Slug of the flow that sent it.' },
  campaign: {
    description: 'Kind and slug of the campaign of another plugin that sent it: program:activation.'
  },
  send: { required: true, description: 'Id of the mail in the ledger.' }
}
const MACHINE: Readonly<Record<string, AttrSpec>> = {
  machine: { values: ['true', 'false'], description: 'A scanner did it, not the recipient.' }
}
const BOUNCE: Readonly<Record<string, AttrSpec>> = {
  bounce: { values: ['hard', 'soft'], description: 'A hard bounce is final.' }
}

/** Opens and clicks of machines have an actor, which keeps them out of milestones and counts. */
const MACHINE_ACTOR = 'machine:scanner'
const PEOPLE = { actors: [SUBJECT_TYPE] } as const

type Label = keyof typeof MAIL_EVENT_LABELS
type Family = Exclude<Label, `${string}_by_template`>

function eventOf(family: Family, what: string, more: Partial<EventSpec> = {}): EventSpec {
  const byTemplate = `${family}_by_template` as const
  const rollups: RollupSpec[] = [
    { as: family, by: ['subject'], capture: ['attr:template'], ...MAIL_EVENT_LABELS[family] },
    { as: byTemplate, by: ['attr:template'], bucket: 'day', ...MAIL_EVENT_LABELS[byTemplate] }
  ]
  return {
    kind: 'event',
    origin: 'server',
    subjects: [SUBJECT_TYPE],
    description: `A mail was ${what}.`,
    attrs: { ...ATTRS, ...more.attrs },
    rollups: rollups.map((rollup) => ({ ...rollup, ...PEOPLE })),
    durable: true
  }
}

/** The events of mails, for the registry of a telemetry store. Under the kernel the plugin contributes them. */
export const mailTelemetryRegistry: RegistrySpec = {
  'mail.sent': eventOf('mail_sent', 'sent'),
  'mail.delivered': eventOf('mail_delivered', 'delivered'),
  'mail.opened': eventOf('mail_opened', 'opened', { attrs: MACHINE }),
  'mail.clicked': eventOf('mail_clicked', 'clicked', { attrs: MACHINE }),
  'mail.bounced': eventOf('mail_bounced', 'bounced', { attrs: BOUNCE }),
  'mail.complained': eventOf('mail_complained', 'reported as spam'),
  'mail.unsubscribed': eventOf('mail_unsubscribed', 'used to unsubscribe')
}

const NAMES: Readonly<Partial<Record<MailOutcomeType, string>>> = {
  accepted: 'mail.sent',
  delivered: 'mail.delivered',
  open: 'mail.opened',
  click: 'mail.clicked',
  soft_bounce: 'mail.bounced',
  hard_bounce: 'mail.bounced',
  complaint: 'mail.complained',
  unsubscribe: 'mail.unsubscribed'
}

/** An outcome as an event; undefined for one that telemetry does not hear of. */
export function mailEventOf(
  id: string,
  outcome: MailOutcome,
  tenantId: string
): { readonly name: string; readonly record: EmitRecord } | undefined {
  const { type, sendId, externalId, isMachine } = outcome
  const name = NAMES[type]
  if (name === undefined) return undefined
  const record: EmitRecord = {
    tenantId,
    occurredAt: outcome.occurredAt,
    service: 'mailer',
    subjects: [{ type: SUBJECT_TYPE, id: externalId }],
    // Everything about one mail is one trace.
    traceId: sendId,
    dedupeKey: `mail:${id}`,
    attrs: attrsOf(outcome),
    ...(isMachine && { actor: MACHINE_ACTOR })
  }
  return { name, record }
}

function attrsOf(outcome: MailOutcome): NonNullable<EmitRecord['attrs']> {
  const { type, isMachine, provider, campaign } = outcome
  const isHit = type === 'open' || type === 'click'
  const isBounce = type === 'hard_bounce' || type === 'soft_bounce'
  return {
    template: outcome.templateSlug,
    kind: outcome.kind,
    broadcast: outcome.broadcastSlug,
    flow: outcome.flowSlug,
    send: outcome.sendId,
    ...(campaign !== undefined && { campaign: `${campaign.kind}:${campaign.slug}` }),
    ...(provider !== '' && { provider }),
    ...(isHit && { machine: isMachine }),
    ...(isBounce && { bounce: type === 'hard_bounce' ? 'hard' : 'soft' })
  }
}

/** The ref of a contact in telemetry. */
export const subjectRef = (externalId: string): string => `${SUBJECT_TYPE}:${externalId}`

/** The page that shows a contact's mails between their other events; undefined without such a page. */
export function journeyHref(
  journeyPath: string | undefined,
  externalId: string
): string | undefined {
  if (journeyPath === undefined) return undefined
  return `${journeyPath}?subject=${encodeURIComponent(subjectRef(externalId))}`
}
