// Unsubscribe links over HTTP: the page, one click, preferences, and a database that is not there.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Test, test } from 'tap'
import { upsertSubscription } from '../../../consent/subscribe.ts'
import type { MailerContext } from '../../../ledger/context.ts'
import { readOutcomes } from '../../../ledger/outcomes/read-outcomes.ts'
import { publicApp } from '../../../test/public-app.ts'
import { sentMail } from '../../../test/sent-mail.ts'
import { testContext } from '../../../test/test-context.ts'
import { drainPendingUnsubscribes } from '../journal/drain-journal.ts'
import { getPreferences } from '../preferences.ts'
import { signUnsubscribe, type UnsubscribeRequest } from '../unsubscribe-token.ts'

const SECRET = 'a secret of some length'
const EMAIL = 'ann@example.test'
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const later = new Date(Date.now() + 86_400_000)
const contacts = [{ externalId: 'ann', email: EMAIL, tags: [], fields: {} }]

const pathOf = (asked: Partial<UnsubscribeRequest> = {}, expiresAt = later, secret = SECRET) =>
  `/m/unsub/${signUnsubscribe({ email: EMAIL, scope: 'marketing', ...asked }, expiresAt, secret)}`

async function open(t: Test, config: object = {}) {
  const categories = [
    { id: 'news', label: 'News & <views>', description: 'Once a week' },
    { id: 'tips', label: 'Tips' }
  ]
  const fromDefaults = { name: 'Acme <Ltd>', email: 'hello@acme.test' }
  const kit = await testContext(t, { contacts, config: { categories, fromDefaults, ...config } })
  const { context } = kit
  await upsertSubscription(context, { externalId: 'ann', source: 'test' })
  const app = await publicApp(t, context)
  const post = (url: string, payload?: string, headers: Record<string, string> = FORM) =>
    app.inject({ method: 'POST', url, headers, ...(payload !== undefined && { payload }) })
  const stored = async () => {
    const rows = await context.collections.suppressions.find().sort({ scope: 1 }).toArray()
    return rows.map(({ email, scope, reason }) => `${email} ${scope} ${reason}`)
  }
  const status = async () => (await context.collections.subscriptions.findOne({}))?.status
  return { ...kit, app, post, stored, status }
}

/** The context of a process that the database does not answer. */
const cutOff = (context: MailerContext): MailerContext =>
  Object.create(context, { withTransaction: { value: () => new Promise(() => undefined) } })

/** The same context with time to write, on a machine that is busy. */
const patientOf = (context: MailerContext): MailerContext =>
  Object.create(context, {
    config: { value: { ...context.config, unsubscribeWriteTimeoutMs: 60_000 } }
  })

test('the page asks, shows the sender, runs no script and changes nothing', async (t) => {
  const { app, stored, status, commands } = await open(t)
  commands()
  const answer = await app.inject(pathOf())
  t.same(commands(), ['find'])
  t.equal(answer.statusCode, 200)
  t.match(answer.headers, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'content-security-policy': /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'/
  })
  t.match(answer.payload, /Acme &lt;Ltd&gt;/)
  t.match(answer.payload, /News &amp; &lt;views&gt;<small>Once a week/)
  t.notMatch(answer.payload, /<script|<views>/)
  t.match(answer.payload, /<html lang="en">/)
  t.same(await stored(), [])
  t.equal(await status(), 'subscribed')
})

test('each form posts to its own address, from the page of the link and of the preferences', async (t) => {
  const { app } = await open(t)
  const path = pathOf()
  for (const url of [path, `${path}/preferences`]) {
    const { payload } = await app.inject(url)
    const actions = [...payload.matchAll(/<form method="post" action="([^"]+)"/g)]
    const targets = actions.map(([, action]) => new URL(action ?? '', `http://x${url}`).pathname)
    t.same(targets, [path, `${path}/preferences`, `${path}/preferences`])
  }
})

test('a link for service mail offers no choices', async (t) => {
  const { app } = await open(t)
  const { payload } = await app.inject(pathOf({ scope: 'transactional' }))
  t.equal(payload.match(/<form/g)?.length, 1)
  t.match(payload, /Stop service mail to ann@example.test/)
})

test('one click records the unsubscribe, marks its mail, and may be repeated', async (t) => {
  const { context, post, stored, status } = await open(t)
  const mail = sentMail('ann')
  await context.collections.sends.insertOne(mail)
  const path = pathOf({ sendId: mail._id })
  for (let round = 0; round < 2; round++) {
    const answer = await post(path, 'List-Unsubscribe=One-Click')
    t.equal(answer.statusCode, 200)
    t.match(answer.headers['content-type'], /^text\/html/)
  }
  t.same(await stored(), [`${EMAIL} marketing unsubscribed`])
  t.equal(await status(), 'unsubscribed')
  const row = await context.collections.sends.findOne({ _id: mail._id })
  t.ok(row?.unsubscribedAt)
  t.match((await readOutcomes(context)).items, [{ type: 'unsubscribe', sendId: mail._id }])
})

const multipart =
  '--b\r\ncontent-disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n'
const bodies: readonly (readonly [string, string?, string?])[] = [
  ['no body'],
  ['a multipart form', multipart, 'multipart/form-data; boundary=b'],
  ['a body without a type', 'List-Unsubscribe=One-Click'],
  ['broken JSON', '{', 'application/json'],
  ['an unknown type', 'x', 'application/x-unknown']
]
for (const [name, body, type] of bodies) {
  test(`one click is taken with ${name}`, async (t) => {
    const { post, status } = await open(t)
    const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type }
    t.equal((await post(pathOf(), body, headers)).statusCode, 200)
    t.equal(await status(), 'unsubscribed')
  })
}

test('the link of a mail with a category leaves that category alone', async (t) => {
  const { app, post, stored, status } = await open(t)
  const path = pathOf({ category: 'news' })
  const { payload } = await app.inject(path)
  t.match(payload, /mail about “News &amp; &lt;views&gt;”/)
  t.match(payload, /Unsubscribe from all marketing mail/)
  t.notMatch((await app.inject(pathOf())).payload, /Unsubscribe from all marketing mail/)
  const left = await post(path)
  t.same(await stored(), [`${EMAIL} category:news unsubscribed`])
  t.equal(await status(), 'subscribed')
  t.match(left.payload, /no more mail about “News &amp; &lt;views&gt;”/)
  const [, action = ''] = /<form method="post" action="([^"]+)"/.exec(left.payload) ?? []
  const all = await post(new URL(action, `http://host${path}`).pathname, 'action=unsubscribe-all')
  t.equal(all.statusCode, 200)
  t.match(await stored(), [/category:news/, `${EMAIL} marketing unsubscribed`])
})

test('HEAD answers as GET does for each page of a recipient, and changes nothing', async (t) => {
  const { app, stored, status } = await open(t)
  const paths = [pathOf(), `${pathOf()}/preferences`, '/m/unsub/x', '/m/confirm-doi/x', '/m/view/x']
  for (const url of paths) {
    const [head, get] = [await app.inject({ method: 'HEAD', url }), await app.inject(url)]
    t.equal(head.statusCode, get.statusCode, url)
    t.equal(head.payload, '')
  }
  t.equal((await app.inject({ method: 'HEAD', url: pathOf() })).statusCode, 200)
  t.same([await stored(), await status()], [[], 'subscribed'])
})

const invalid: readonly (readonly [string, string])[] = [
  ['noise', '/m/unsub/x'],
  ['an empty token', '/m/unsub/'],
  ['a token of another secret', pathOf({}, later, 'another secret altogether')],
  ['an expired token', pathOf({}, new Date(Date.now() - 1000))],
  ['a changed token', pathOf().replace('/unsub/e', '/unsub/f')],
  ['a very long token', `/m/unsub/${'a'.repeat(6000)}`],
  ['line breaks', '/m/unsub/a%0d%0aset-cookie:x=1.b']
]
for (const [name, path] of invalid) {
  test(`${name}: the page answers 400, one click 200, and nothing is recorded`, async (t) => {
    const { app, post, stored, commands } = await open(t)
    commands()
    const page = await app.inject(path)
    t.equal(page.statusCode, 400)
    const posted = await post(path)
    t.equal(posted.statusCode, 200)
    t.equal(posted.payload, page.payload, 'the same for every token that is not valid')
    t.equal((await post(`${path}/preferences`, 'action=unsubscribe-all')).statusCode, 400)
    t.same(commands(), [])
    t.same(await stored(), [])
  })
}

test('a signed token for something that is not an address records nothing', async (t) => {
  const { post, stored } = await open(t)
  t.equal((await post(pathOf({ email: 'nowhere' }))).statusCode, 200)
  t.same(await stored(), [])
})

test('without the database one click answers 503, and 200 once a journal holds it', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'keelson-unsub-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const pendingUnsubsPath = join(folder, 'pending.jsonl')
  const bare = await open(t, { unsubscribeWriteTimeoutMs: 50 })
  const app = await publicApp(t, cutOff(bare.context))
  const refused = await app.inject({ method: 'POST', url: pathOf() })
  t.equal(refused.statusCode, 503)
  t.equal(refused.headers['retry-after'], '60')

  const kept = await open(t, { unsubscribeWriteTimeoutMs: 50, pendingUnsubsPath })
  const journaling = await publicApp(t, cutOff(kept.context))
  t.equal((await journaling.inject({ method: 'POST', url: pathOf() })).statusCode, 200)
  t.match(await readFile(pendingUnsubsPath, 'utf8'), /ann@example.test/)
  t.same(await kept.stored(), [])
  const patient = patientOf(kept.context)
  t.same(await drainPendingUnsubscribes(patient), { applied: 1, deferred: 0 })
  t.same(await kept.stored(), [`${EMAIL} marketing unsubscribed`])

  await writeFile(join(folder, 'in-the-way'), '')
  const stuck = await open(t, {
    unsubscribeWriteTimeoutMs: 50,
    pendingUnsubsPath: join(folder, 'in-the-way', 'pending.jsonl')
  })
  const stuckApp = await publicApp(t, cutOff(stuck.context))
  t.equal((await stuckApp.inject({ method: 'POST', url: pathOf() })).statusCode, 503)
  t.same(await drainPendingUnsubscribes(stuck.context), { applied: 0, deferred: 0 })
})

test('a journal that is set on the router alone is used and warned about', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'keelson-unsub-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const { context } = await open(t, { unsubscribeWriteTimeoutMs: 50 })
  const lines: string[] = []
  const app = await publicApp(t, cutOff(context), {
    pendingUnsubsPath: join(folder, 'pending.jsonl'),
    logger: { warn: (_fields, message) => void lines.push(message) }
  })
  t.equal((await app.inject({ method: 'POST', url: pathOf() })).statusCode, 200)
  t.match(lines[0], /pendingUnsubsPath/)
})

test('categories are saved, and marketing as a whole is left', async (t) => {
  const { context, post, status } = await open(t)
  const path = `${pathOf()}/preferences`
  t.equal((await post(path, 'action=save&category=tips')).statusCode, 200)
  const chosen = async () =>
    (await getPreferences(context, EMAIL)).categories.map(({ isSubscribed }) => isSubscribed)
  t.same(await chosen(), [false, true])
  t.equal((await post(path, 'action=save&category=tips&category=news')).statusCode, 200)
  t.same(await chosen(), [true, true])
  t.equal((await post(path, 'action=unsubscribe-all')).statusCode, 200)
  t.equal(await status(), 'unsubscribed')
})

test('a pause of an offered length is set, shown and ended', async (t) => {
  const { context, app, post } = await open(t)
  const path = pathOf()
  t.equal((await post(`${path}/preferences`, 'pause=14')).statusCode, 200)
  const { pausedUntil } = await getPreferences(context, EMAIL)
  t.ok(pausedUntil)
  t.match((await app.inject(path)).payload, /Marketing mail is paused until/)
  t.equal((await post(`${path}/preferences`, 'action=resume')).statusCode, 200)
  t.equal((await getPreferences(context, EMAIL)).pausedUntil, null)
})

test('a choice that is not offered answers 400 and changes nothing', async (t) => {
  const { app, post, stored } = await open(t)
  const path = `${pathOf()}/preferences`
  const forms = [
    '',
    'action=delete',
    'pause=8',
    'pause=-1',
    'action=save&category=__proto__',
    'pause=7%0a'
  ]
  for (const form of forms) t.equal((await post(path, form)).statusCode, 400, form)
  t.equal((await app.inject(`${path}/more`)).statusCode, 404)
  t.equal((await post(path, 'x'.repeat(70_000))).statusCode, 413)
  t.same(await stored(), [])
})

test('texts can be replaced by those of another language', async (t) => {
  const { context } = await open(t)
  const app = await publicApp(t, context, {
    locale: 'de',
    texts: { unsubscribeButton: 'Abmelden' }
  })
  const { payload } = await app.inject(pathOf())
  t.match(payload, /<html lang="de">/)
  t.match(payload, /<button>Abmelden<\/button>/)
})
