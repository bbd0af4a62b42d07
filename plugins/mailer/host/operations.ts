// mailer.core/v1: the operations of a mailer, each bound to its context.

import { exportContactData } from '../audience/contacts/contact-records.ts'
import { suppress } from '../audience/contacts/record-suppressions.ts'
import { subscribers } from '../audience/contacts/subscribers.ts'
import { tag, untag } from '../audience/contacts/tags.ts'
import { unsubscribe } from '../audience/contacts/unsubscribe.ts'
import { heldBroadcasts } from '../campaigns/broadcasts/held-broadcasts.ts'
import { pauseBroadcasts, resumeBroadcasts } from '../campaigns/broadcasts/pause-broadcasts.ts'
import { abortAllFlows, abortFlow } from '../campaigns/flows/end-runs.ts'
import type { EventRegistry } from '../campaigns/flows/event-registry.ts'
import { fire, fireFromSession } from '../campaigns/flows/fire.ts'
import { forget } from '../consent/forget.ts'
import { resubscribe, upsertSubscription } from '../consent/subscribe.ts'
import { compiledChange, templateContent } from '../content/templates/read-templates.ts'
import { sampleMessage, sendTest } from '../content/templates/test-mail.ts'
import type { MailerCore } from '../contracts/mailer-core.ts'
import { broadcastBehind } from '../delivery/sends/broadcast-behind.ts'
import { countHeld } from '../delivery/sends/count-held.ts'
import { notify, sendOneOff } from '../delivery/sends/one-off.ts'
import { recordFeedback } from '../delivery/webhooks/record-feedback.ts'
import { errors } from '../errors.ts'
import { audit } from '../ledger/audit/audit.ts'
import type { MailerContext } from '../ledger/context.ts'
import { readOutcomes } from '../ledger/outcomes/read-outcomes.ts'
import { senderDomains } from '../ledger/sender-domains.ts'
import { actingMailer, type MailerActs } from './acting-mailer.ts'

/** The capability over the acts of a mailer. */
export function createCore(
  context: MailerContext,
  events: EventRegistry,
  acts: MailerActs
): MailerCore {
  return {
    ...withoutActor(acts),
    as: (actor) => actingMailer(context, acts, actor),
    async registerEvent(event) {
      events.register(event)
    },
    exportContactData: (externalId) => exportContactData(context, externalId),
    template: (slug, version) => templateContent(context, slug, version),
    compileTemplate: (slug, change) => compiledChange(context, slug, change),
    sampleMessage: (slug, version) => sampleMessage(context, slug, version),
    senderDomains: () => senderDomains(context.config),
    outcomes: (options) => readOutcomes(context, options),
    countHeld: (by) => countHeld(context, by),
    heldBroadcasts: (by) => heldBroadcasts(context, by),
    broadcastBehind: (mails) => broadcastBehind(context, mails),
    subscribers: (options) => subscribers(context, options)
  }
}

/** The types hide these: they answer callers in JavaScript, which no type holds back. */
const withoutActor = (acts: MailerActs): object =>
  Object.fromEntries(
    Object.keys(acts).map((act) => [
      act,
      async () => {
        throw errors.MLR_ACTOR_MISSING({ act })
      }
    ])
  )

/** The acts of the mailer that `context` belongs to. */
export function createActs(context: MailerContext, events: EventRegistry): MailerActs {
  return {
    sendOneOff: (mail) => sendOneOff(context, mail),
    notify: (mail) => notify(context, mail),
    sendTest: (mail) => sendTest(context, mail),
    fire: (name, externalId, properties, dedupeKey) =>
      fire(context, events, { name, externalId, properties, dedupeKey }),
    fireFromSession: (session, name, externalId, properties, dedupeKey) =>
      fireFromSession(context, events, { name, externalId, properties, dedupeKey }, session),
    upsertSubscription: (input) => upsertSubscription(context, input),
    resubscribe: (input) => resubscribe(context, input),
    unsubscribe: (email, options) => unsubscribe(context, email, options),
    suppress: (email, options) => suppress(context, email, options),
    recordFeedback: (feedback) => recordFeedback(context, feedback),
    tag: (externalId, name) => tag(context, externalId, name),
    untag: (externalId, name) => untag(context, externalId, name),
    abortFlow: (slug, externalId, options) => abortFlow(context, slug, externalId, options),
    abortAllFlows: (externalId, options) => abortAllFlows(context, externalId, options),
    forget: (externalId) => forget(context, externalId),
    audit: (entry, options) => audit(context, entry, options),
    pauseBroadcasts: (pause) => pauseBroadcasts(context, pause),
    resumeBroadcasts: (by) => resumeBroadcasts(context, by)
  }
}
