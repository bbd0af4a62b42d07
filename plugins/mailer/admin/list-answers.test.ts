// What lists of the admin API answer and take: nothing that is only stored, and no query that they do not know.
import type { Collection } from 'mongodb'
import { test } from 'tap'
import { listSends } from '../delivery/sends/read-sends.ts'
import { openAdmin } from '../test/open-admin.ts'
import { adminOperations } from './admin-operations.ts'

/** How rows are stored, queued and leased. */
const STORED_ONLY = [
  ...['lane', 'handoff', 'progress', 'attempts', 'dedupeKey', 'doiTokenHash'],
  ...['doneAt', 'parkedAt', 'dueAt', 'lease', 'leaseUntil', 'mentions', 'cursor', 'isEnding']
]

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
}

/** The names of all fields of a schema, at any depth. */
const namesIn = ({
  properties = {},
  patternProperties = {},
  items,
  anyOf = []
}: Schema): string[] => [
  ...Object.keys(properties),
  ...[...Object.values(properties), ...Object.values(patternProperties), ...anyOf].flatMap(namesIn),
  ...(items === undefined ? [] : namesIn(items))
]

const at = new Date(Date.UTC(2026, 0, 1))
const stored = (number: number) => ({
  _id: number.toString(16).padStart(24, '0'),
  lane: 'urgent',
  kind: 'transactional',
  dedupeKey: `one ${number}`,
  externalId: 'c1',
  emailAtSend: 'c1@example.test',
  templateSlug: 'notice',
  subject: 'Your invoice',
  queuedAt: at,
  status: 'queued',
  handoff: 'queued',
  progress: '',
  state: 'due',
  dueAt: at,
  attempts: 0,
  bodyHash: 'hash',
  vars: { resetUrl: 'https://acme.test/reset/secret' },
  attachments: [
    { filename: 'invoice.pdf', contentType: 'application/pdf', content: Buffer.alloc(200_000, 'x') }
  ]
})

test('fifty mails with attachments of 200 kB are listed in less than 100 kB', async (t) => {
  const { app, call, mailer } = await openAdmin(t)
  const { sends } = mailer.collections
  const rows = Array.from({ length: 50 }, (_, number) => stored(number))
  await (sends as unknown as Collection<{ readonly _id: string }>).insertMany(rows)
  const page = await listSends(mailer.getRunnerContext(), { limit: 50 })
  t.notOk(
    page.rows.some((row) => 'attachments' in row),
    'they are not even read'
  )
  const answer = await app.inject('/admin/mailer/api/sends?limit=50')
  t.equal(answer.json().length, 50)
  t.ok(answer.payload.length < 100_000, `${answer.payload.length} bytes`)
  const contact = await app.inject('/admin/mailer/api/contacts/c1')
  t.equal(contact.json().recentSends.length, 20)
  t.ok(contact.payload.length < 100_000, `${contact.payload.length} bytes`)
  const { body } = await call('GET', `/sends/${rows[0]?._id}`)
  t.same(body.send.attachments, [{ filename: 'invoice.pdf', contentType: 'application/pdf' }])
  t.notMatch(JSON.stringify(body), /secret/, 'the variables of a mail may be a credential')
  const exported = await app.inject('/admin/mailer/api/contacts/c1/export')
  t.ok(exported.payload.length < 200_000, `${exported.payload.length} bytes`)
})

test('no list of the admin API answers a field that is only stored', async (t) => {
  const lists = adminOperations.filter(
    ({ id, answer }) => /\.list[A-Za-z]*$/.test(id) || (answer as { items?: object }).items
  )
  t.ok(lists.length >= 9, `${lists.length} lists`)
  for (const { id, answer } of lists) {
    const names = new Set(namesIn(answer as Schema))
    t.same(
      STORED_ONLY.filter((name) => names.has(name)),
      [],
      id
    )
  }
})

for (const path of ['/sends', '/suppressions', '/audit', '/broadcasts', '/contacts'])
  test(`${path} refuses a query that it does not know`, async (t) => {
    const { call } = await openAdmin(t)
    for (const [query, field] of [
      ['limit=x', 'limit'],
      ['limit=0', 'limit'],
      ['limit=-1', 'limit'],
      ['limit=1.5', 'limit'],
      ['cursor=', 'cursor'],
      ['emial=a@example.test', 'emial']
    ] as const)
      t.match(
        await call('GET', `${path}?${query}`),
        { status: 400, body: { error: 'validation_failed', fields: [{ path: field }] } },
        query
      )
  })

test('a value that no row can have is refused by its name', async (t) => {
  const { call } = await openAdmin(t)
  for (const [path, field] of [
    ['/sends?status=nonsense', 'status'],
    ['/sends?kind=nonsense', 'kind'],
    ['/suppressions?scope=nonsense', 'scope'],
    ['/suppressions?reason=nonsense', 'reason'],
    ['/audit?from=yesterday', 'from'],
    ['/broadcasts/cast/recipients?status=nonsense', 'status']
  ] as const)
    t.match(
      await call('GET', path),
      { status: 400, body: { error: 'validation_failed', fields: [{ path: field }] } },
      path
    )
})
