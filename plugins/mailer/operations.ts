// mailer.core/v1: the operations of a mailer, each bound to its context.

import type { MailerCore } from '@keelson/sdk/contracts/mailer-core'
import { audit } from './audit/audit.ts'
import { pauseBroadcasts, resumeBroadcasts } from './broadcasts/pause-broadcasts.ts'
import { exportContactData } from './contacts/contact-records.ts'
import { forget } from './contacts/forget.ts'
import { suppress } from './contacts/record-suppressions.ts'
import { resubscribe, upsertSubscription } from './contacts/subscribe.ts'
import { subscribers } from './contacts/subscribers.ts'
import { tag, untag } from './contacts/tags.ts'
import { unsubscribe } from './contacts/unsubscribe.ts'
import type { MailerContext } from './context.ts'
import { abortAllFlows, abortFlow } from './flows/end-runs.ts'
import type { EventRegistry } from './flows/event-registry.ts'
import { fire, fireFromSession } from './flows/fire.ts'
import { readOutcomes } from './outcomes/read-outcomes.ts'
import { senderDomains } from './sender-domains.ts'
import { notify, sendOneOff } from './sends/one-off.ts'
import { sendTest } from './sends/test-mail.ts'
import { compiledChange, templateContent } from './templates/read-templates.ts'
import { recordFeedback } from './webhooks/record-feedback.ts'

/** The operations of the mailer that `context` belongs to. */
export function createCore(context: MailerContext, events: EventRegistry): MailerCore {
  return {
    sendOneOff: (mail) => sendOneOff(context, mail),
    notify: (mail) => notify(context, mail),
    sendTest: (mail) => sendTest(context, mail),
    async registerEvent(event) {
      events.register(event)
    },
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
    exportContactData: (externalId) => exportContactData(context, externalId),
    audit: (entry) => audit(context, entry),
    template: (slug, version) => templateContent(context, slug, version),
    compileTemplate: (slug, change) => compiledChange(context, slug, change),
    senderDomains: () => senderDomains(context.config),
    outcomes: (options) => readOutcomes(context, options),
    subscribers: (options) => subscribers(context, options),
    pauseBroadcasts: (pause) => pauseBroadcasts(context, pause),
    resumeBroadcasts: (by) => resumeBroadcasts(context, by)
  }
}
