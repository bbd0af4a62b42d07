// Which mails a suppression blocks, and how suppressions of many addresses are read.
import { createHash } from 'node:crypto'
import { test } from 'tap'
import { addressHash } from '../../ledger/address.ts'
import type { StoredScope, SuppressionRow } from '../../ledger/contact-rows.ts'
import { testContext } from '../../test/test-context.ts'
import { findForgotten, findSuppressions } from './find-suppressions.ts'
import { recordSuppressions } from './record-suppressions.ts'
import { suppressionThatBlocks } from './suppression-rules.ts'

const now = new Date('2026-03-01T12:00:00Z')
const later = (ms: number) => new Date(now.getTime() + ms)
const row = (scope: StoredScope, more: Partial<SuppressionRow> = {}): SuppressionRow => ({
  _id: scope,
  email: 'a@example.test',
  emailHash: addressHash('a@example.test'),
  scope,
  reason: 'manual',
  addedAt: now,
  expiresAt: null,
  ...more
})

const blocked: Readonly<Record<StoredScope, readonly string[]>> = {
  all: ['transactional', 'marketing', 'marketing news', 'marketing tips'],
  transactional: ['transactional'],
  marketing: ['marketing', 'marketing news', 'marketing tips'],
  marketing_pause: ['marketing', 'marketing news', 'marketing tips'],
  'category:news': ['marketing news']
}
for (const [scope, mails] of Object.entries(blocked)) {
  test(`scope ${scope} blocks ${mails.join(', ')}`, async (t) => {
    for (const mail of blocked.all) {
      const [kind, category] = mail.split(' ') as ['marketing', string | undefined]
      const found = suppressionThatBlocks([row(scope as StoredScope)], kind, category, now)
      t.equal(found !== undefined, mails.includes(mail), mail)
    }
  })
}

test('a suppression blocks until it expires, and the strongest reason is returned', async (t) => {
  const temporary = row('all', { expiresAt: later(1000) })
  const bounce = row('marketing', { reason: 'hard_bounce' })
  t.equal(suppressionThatBlocks([temporary, bounce], 'marketing', undefined, now), bounce)
  t.equal(suppressionThatBlocks([temporary], 'marketing', undefined, later(999)), temporary)
  t.equal(suppressionThatBlocks([temporary], 'marketing', undefined, later(1000)), undefined)
})

test('of suppressions with one reason the widest is returned, in whatever order they are read', async (t) => {
  const scopes = ['category:news', 'marketing_pause', 'marketing', 'all'] as const
  const rows = scopes.map((scope) => row(scope))
  for (let from = 0; from < rows.length; from++) {
    const turned = [...rows.slice(from), ...rows.slice(0, from)]
    t.equal(suppressionThatBlocks(turned, 'marketing', 'news', now)?.scope, 'all')
    const narrow = turned.filter(({ scope }) => scope !== 'all' && scope !== 'marketing')
    t.equal(suppressionThatBlocks(narrow, 'marketing', 'news', now)?.scope, 'marketing_pause')
  }
})

test('suppressions are found by any case of the address and by its hash alone', async (t) => {
  const { context, commands } = await testContext(t)
  const { suppressions } = context.collections
  await suppressions.insertMany([
    row('all', { _id: '1' }),
    row('all', { _id: '2', email: null, emailHash: addressHash('gone@example.test') })
  ])
  commands()
  const found = await findSuppressions(context, [
    'A@Example.test ',
    'gone@example.test',
    'free@example.test'
  ])
  t.same(commands(), ['find'])
  t.same(
    [...found].map(([email, rows]) => [email, rows.map(({ _id }) => _id)]),
    [
      ['A@Example.test ', ['1']],
      ['gone@example.test', ['2']],
      ['free@example.test', []]
    ]
  )
})

test('2,500 addresses are two queries, each by the index on the hash', async (t) => {
  const { context, commands } = await testContext(t)
  await context.collections.suppressions.insertOne(row('all'))
  const emails = Array.from({ length: 2500 }, (_, at) => `${at}@example.test`)
  commands()
  const found = await findSuppressions(context, [...emails, 'a@example.test'])
  t.equal(commands().filter((name) => name === 'find').length, 2)
  t.equal(found.size, 2501)
  t.equal(found.get('a@example.test')?.length, 1)
  const plan = await context.collections.suppressions
    .find({ emailHash: { $in: emails.map(addressHash).slice(0, 1000) } })
    .explain('queryPlanner')
  t.match(JSON.stringify(plan), /"indexName":"email_hash"/)
})

test('a suppression holds for every spelling of a domain, also when it was stored in Unicode', async (t) => {
  const { context } = await testContext(t)
  const { suppressions } = context.collections
  const spellings = ['info@münchen.example', 'INFO@xn--mnchen-3ya.example']
  await recordSuppressions(context, [
    { email: spellings[1] ?? '', scope: 'all', reason: 'hard_bounce' }
  ])
  const before = createHash('sha256').update('alt@münchen.example').digest('hex')
  const old = { email: null, emailHash: before, reason: 'gdpr_forget' } as const
  await suppressions.insertOne(row('all', { ...old, _id: `${before}:all` }))
  const asked = [...spellings, 'alt@münchen.example', 'alt@xn--mnchen-3ya.example']
  const found = await findSuppressions(context, asked)
  t.same(
    asked.map((email) => found.get(email)?.map(({ reason }) => reason)),
    [['hard_bounce'], ['hard_bounce'], ['gdpr_forget'], ['gdpr_forget']]
  )
  t.same([...(await findForgotten(context, asked))], asked.slice(2))
})
