// Whether a mail may be handed over, from what is known about it.

import { test } from 'tap'
import type { MailContact } from '../../contracts/mailer-core.ts'
import type { SubscriptionRow, SuppressionRow } from '../../ledger/contact-rows.ts'
import type { PreparedTemplate } from '../../ledger/prepared-template.ts'
import type { SendRow } from '../../ledger/send-row.ts'
import { type SendFacts, stopOf } from './decide-send.ts'

const contact: MailContact = { externalId: 'c', email: 'c@example.test', tags: [], fields: {} }
const facts = (more: Partial<SendFacts>, send: Partial<SendRow> = {}): SendFacts => ({
  send: { kind: 'marketing', templateSlug: 'news', ...send } as SendRow,
  contact,
  template: {} as PreparedTemplate,
  subscription: undefined,
  suppression: undefined,
  broadcastStatus: undefined,
  provider: 'smtp',
  ...more
})

test('a mail that nothing stops goes on', async (t) => {
  t.equal(stopOf(facts({})), undefined)
})

const operatorMail = { to: 'ops@example.test', subject: 'Alert', text: 'text' }
test('mail to operators needs neither contact nor template', async (t) => {
  t.equal(stopOf(facts({ contact: undefined, template: undefined }, { operatorMail })), undefined)
})

const row = { status: 'unsubscribed' } as SubscriptionRow
const suppression = { scope: 'all', reason: 'hard_bounce' } as SuppressionRow
const broadcast = { broadcastId: 'b' }
const stops: readonly (readonly [string, SendFacts, string, string])[] = [
  ['a contact that is gone', facts({ contact: undefined }), 'failed', 'contact_missing'],
  [
    'an address without @',
    facts({ contact: { ...contact, email: 'nowhere' } }),
    'failed',
    'no_recipient'
  ],
  ['a suppression', facts({ suppression }), 'suppressed', 'hard_bounce'],
  ['a closed subscription', facts({ subscription: row }), 'suppressed', 'unsubscribed'],
  [
    'a missing subscription of a flow',
    facts({ subscription: undefined }, { flowRunId: 'run' }),
    'suppressed',
    'not_subscribed'
  ],
  [
    'an unpublished template of a suppressed contact',
    facts({ suppression, template: undefined }),
    'failed',
    'template_missing'
  ],
  ['an unpublished template', facts({ template: undefined }), 'failed', 'template_missing'],
  ['an unknown provider', facts({ provider: undefined }), 'failed', 'provider_unknown'],
  [
    'a paused broadcast',
    facts({ broadcastStatus: 'paused' }, broadcast),
    'held',
    'broadcast_paused'
  ],
  [
    'a cancelled broadcast',
    facts({ broadcastStatus: 'cancelled' }, broadcast),
    'cancelled',
    'broadcast_cancelled'
  ],
  ['a deleted broadcast', facts({}, broadcast), 'cancelled', 'broadcast_cancelled']
]
for (const [name, given, handoff, reason] of stops) {
  test(`${name} stops a mail`, async (t) => {
    t.match(stopOf(given), { handoff, reason })
  })
}

test('a closed subscription does not stop transactional mail', async (t) => {
  t.equal(stopOf(facts({ subscription: row }, { kind: 'transactional' })), undefined)
})

test('a paused broadcast holds mail before anything else is judged', async (t) => {
  t.match(stopOf(facts({ suppression, broadcastStatus: 'paused' }, broadcast)), { handoff: 'held' })
})
