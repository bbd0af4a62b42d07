// Contacts by state: each list has those of its state, each once, whatever is stored about them.
import { text } from 'node:stream/consumers'
import fc from 'fast-check'
import { test } from 'tap'
import type { SubscriptionStatus } from '../../contracts/mailer-core.ts'
import { addressHash } from '../../ledger/address.ts'
import { testContext } from '../../test/test-context.ts'
import { CONTACT_STATES, type ContactState, stateOf } from './contact-states.ts'
import { exportContacts } from './csv/export-contacts.ts'
import { countContacts, listContacts } from './list-contacts.ts'
import { REASONS } from './suppression-rules.ts'

const STATUSES: readonly SubscriptionStatus[] = [
  'subscribed',
  'pending_doi',
  'unsubscribed',
  'bounced',
  'complained'
]
const SCOPES = ['all', 'marketing', 'transactional', 'marketing_pause', 'category:news'] as const
const people = Array.from({ length: 8 }, (_, at) => ({
  externalId: `c${at}`,
  // The last two share an address.
  email: `a${Math.min(at, 6)}@example.test`,
  tags: [],
  fields: {}
}))

const stored = fc.record({
  statuses: fc.array(fc.option(fc.constantFrom(...STATUSES)), { minLength: 8, maxLength: 8 }),
  suppressions: fc.uniqueArray(
    fc.record({
      at: fc.integer({ min: 0, max: 7 }),
      scope: fc.constantFrom(...SCOPES),
      reason: fc.constantFrom(...REASONS),
      isOver: fc.boolean()
    }),
    { selector: ({ at, scope }) => `${at} ${scope}`, maxLength: 10 }
  )
})

type Given = typeof stored extends fc.Arbitrary<infer T> ? T : never

test('each state lists its contacts once, counts and exports the same, whatever is stored and however long a page is', async (t) => {
  const { context } = await testContext(t, { contacts: people })
  const { subscriptions, suppressions } = context.collections
  const now = context.clock.now()

  async function store({ statuses, suppressions: rows }: Given) {
    await Promise.all([subscriptions.deleteMany({}), suppressions.deleteMany({})])
    const subscribed = statuses.flatMap((status, at) =>
      status === null
        ? []
        : [
            {
              _id: `s${at}`,
              externalId: `c${at}`,
              status,
              source: 't',
              createdAt: now,
              updatedAt: now
            }
          ]
    )
    const suppressed = rows.map(({ at, scope, reason, isOver }, place) => {
      const email = `a${at}@example.test`
      const emailHash = addressHash(email)
      const expiresAt = isOver ? new Date(now.getTime() - 1) : null
      const addedAt = new Date(now.getTime() - place * 1_000)
      return { _id: `${emailHash}:${scope}`, email, emailHash, scope, reason, addedAt, expiresAt }
    })
    if (subscribed.length > 0) await subscriptions.insertMany(subscribed)
    if (suppressed.length > 0) await suppressions.insertMany(suppressed)
    const expected = new Map<ContactState, string[]>(CONTACT_STATES.map((state) => [state, []]))
    for (const [at, { externalId, email }] of people.entries()) {
      const own = suppressed.filter((row) => row.email === email)
      const status = statuses[at]
      expected.get(stateOf(status ? { status } : undefined, own, now))?.push(externalId)
    }
    return expected
  }

  async function listed(state: ContactState, limit: number): Promise<readonly string[]> {
    const ids: string[] = []
    let cursor: string | undefined
    do {
      const page = await listContacts(context, { state, limit, ...(cursor && { cursor }) })
      t.ok(page.contacts.every((contact) => contact.state === state))
      ids.push(...page.contacts.map(({ externalId }) => externalId))
      cursor = page.nextCursor
    } while (cursor !== undefined)
    return ids.sort()
  }

  await fc.assert(
    fc.asyncProperty(stored, fc.integer({ min: 1, max: 4 }), async (given, limit) => {
      for (const [state, ids] of await store(given)) {
        t.same(await listed(state, limit), ids, state)
        t.same(await countContacts(context, { state }), { count: ids.length, isExact: true }, state)
        const lines = (await text(exportContacts(context, { state }))).trim().split('\n').slice(1)
        t.same(lines.map((line) => line.split(',')[0]).sort(), ids, state)
      }
    }),
    { numRuns: 10 }
  )
})

test('a list of all says the state of each contact and since when it is subscribed', async (t) => {
  const { context } = await testContext(t, { contacts: people })
  const subscribedAt = context.clock.now()
  const more = { source: 't', createdAt: subscribedAt, updatedAt: subscribedAt }
  await context.collections.subscriptions.insertMany([
    { _id: '1', externalId: 'c1', status: 'subscribed', subscribedAt, ...more },
    { _id: '2', externalId: 'c2', status: 'pending_doi', ...more }
  ])
  t.match((await listContacts(context, { limit: 3 })).contacts, [
    { externalId: 'c0', state: 'none' },
    { externalId: 'c1', state: 'subscribed', subscribedAt },
    { externalId: 'c2', state: 'pending' }
  ])
  t.same(await countContacts(context), { count: 8, isExact: true })
  const found = await listContacts(context, { search: 'a1@example.test', state: 'pending' })
  t.same(found.contacts, [])
})

test('more than 1,000 of a state are counted as an upper bound, by keys alone', async (t) => {
  const { context } = await testContext(t, { contacts: people })
  const at = context.clock.now()
  const rows = Array.from({ length: 1_001 }, (_, number) => ({
    _id: `s${number}`,
    externalId: `c${number}`,
    status: 'subscribed' as const,
    source: 't',
    createdAt: at,
    updatedAt: at
  }))
  await context.collections.subscriptions.insertMany(rows)
  t.same(await countContacts(context, { state: 'subscribed' }), { count: 1_001, isExact: false })
})

test('a cursor of another list is refused', async (t) => {
  const { context } = await testContext(t, { contacts: people })
  for (const cursor of ['x', '9:', '1:', '0'])
    await t.rejects(listContacts(context, { state: 'subscribed', cursor }), /nextCursor/)
})

test('contacts of suppressed addresses are asked by address, newest first, and never by a filter', async (t) => {
  const { context } = await testContext(t, { contacts: people })
  const { suppressions } = context.collections
  const addedAt = context.clock.now().getTime()
  await suppressions.insertMany(
    [0, 1, 2].map((at) => {
      const email = `a${at}@example.test`
      const emailHash = addressHash(email)
      const row = {
        email,
        emailHash,
        scope: 'all',
        reason: 'hard_bounce',
        expiresAt: null
      } as const
      return { ...row, _id: `${emailHash}:all`, addedAt: new Date(addedAt + at * 1_000) }
    })
  )
  const asked: (readonly string[])[] = []
  const adapter: typeof context.adapter = {
    ...context.adapter,
    async query() {
      throw new Error('asked by a filter')
    },
    async getByEmails(emails) {
      asked.push(emails)
      return people.filter(({ email }) => emails.includes(email))
    }
  }
  const { contacts } = await listContacts({ ...context, adapter }, { state: 'bounced' })
  t.same(
    contacts.map(({ externalId }) => externalId),
    ['c2', 'c1', 'c0']
  )
  t.equal(asked.length, 1)
})
