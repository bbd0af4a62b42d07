// Lists of the admin API with more rows than one answer may have: caps, and pages that hold each row once.
import type { Collection } from 'mongodb'
import { test } from 'tap'
import { openAdmin } from '../test/open-admin.ts'

const people = Array.from({ length: 205 }, (_, at) => ({
  externalId: `c${at}`,
  email: `c${at}@example.test`,
  tags: [],
  fields: {}
}))

const at = new Date(Date.UTC(2026, 0, 1))
const id = (number: number) => number.toString(16).padStart(24, '0')
const template = {
  name: 'T',
  kind: 'marketing',
  tags: [],
  subject: '',
  preheader: '',
  fromName: '',
  fromEmail: '',
  replyTo: null,
  bodyFormat: 'multipart',
  trackOpens: true,
  trackClicks: true,
  draft: null,
  revision: 1,
  version: 0,
  createdAt: at,
  updatedAt: at,
  stats: { sent: 0, delivered: 0, opened: 0, clicked: 0 }
}
const flow = {
  name: 'F',
  enabled: true,
  steps: [],
  draft: null,
  version: 1,
  createdAt: at,
  updatedAt: at,
  trigger: { type: 'event', eventName: 'opened', once: false }
}
const run = {
  flowId: id(0),
  flowSlug: 'flow-0',
  flowVersion: 1,
  externalId: 'c1',
  emailAtEntry: null,
  triggerEvent: null,
  status: 'active',
  path: '0',
  history: [],
  enteredAt: at
}
const mail = {
  lane: 'bulk',
  kind: 'marketing',
  templateSlug: 'news',
  emailAtSend: 'a@example.test',
  queuedAt: at,
  status: 'sent',
  handoff: 'sent',
  progress: 'h',
  state: 'done',
  doneAt: at
}
const suppression = {
  emailHash: 'hash',
  scope: 'all',
  reason: 'manual',
  addedAt: at,
  expiresAt: null
}
const broadcast = {
  name: 'Cast',
  templateSlug: 'news',
  status: 'draft',
  queuedCount: 0,
  createdBy: 'a',
  createdAt: at,
  updatedAt: at
}
/** Every row has the same time: only its id orders it. */
const rows = (count: number, more: object | ((number: number) => object)) =>
  Array.from({ length: count }, (_, number) => ({
    _id: id(number),
    ...(typeof more === 'function' ? more(number) : more)
  }))
const add = (collection: unknown, documents: readonly object[]) =>
  (collection as Collection).insertMany([...documents])

test('no list answers more rows than its cap, whatever the limit', async (t) => {
  const { call, mailer } = await openAdmin(t, {}, people)
  const { sends, suppressions, auditLog, flows, flowRuns, broadcasts, templates } =
    mailer.collections
  await add(
    sends,
    rows(1_005, (number) => ({
      ...mail,
      dedupeKey: `broadcast:cast:${id(number)}`,
      externalId: id(number),
      broadcastId: 'cast'
    }))
  )
  await add(
    suppressions,
    rows(505, (number) => ({ ...suppression, email: id(number) }))
  )
  await add(auditLog, rows(205, { at, actor: 'a', action: 'x', resource: { collection: 'c' } }))
  await add(
    flows,
    rows(505, (number) => ({ ...flow, slug: `flow-${number}` }))
  )
  await add(flowRuns, rows(205, run))
  await add(
    broadcasts,
    rows(205, (number) => ({ ...broadcast, slug: `cast-${number}` }))
  )
  await broadcasts.insertOne({ ...broadcast, _id: 'cast', slug: 'cast' } as never)
  await add(
    templates,
    rows(505, (number) => ({ ...template, slug: `t-${number}` }))
  )
  for (const [path, cap, hasPages] of [
    ['/sends', 500, true],
    ['/suppressions', 500, true],
    ['/audit', 200, true],
    ['/flows/flow-0/runs', 200, true],
    ['/broadcasts', 200, true],
    ['/broadcasts/cast/recipients', 1_000, true],
    ['/flows', 500, false],
    ['/templates', 500, false]
  ] as const) {
    for (const limit of [100_000, cap + 1]) {
      const { body, headers } = await call('GET', `${path}?limit=${limit}`)
      t.equal(body.length, cap, path)
      if (hasPages) t.ok(headers['x-next-cursor'], path)
    }
    if (hasPages) t.equal((await call('GET', `${path}?limit=-5`)).status, 400, path)
  }
  const contacts = (await call('GET', '/contacts?limit=100000')).body
  t.equal(contacts.contacts.length, 200)
  t.ok(contacts.nextCursor)
})

test('pages hold each row once, also rows of one time and while others are added', async (t) => {
  const { call, mailer } = await openAdmin(t)
  const { sends } = mailer.collections
  const row = (number: number) => ({ ...mail, externalId: 'c', dedupeKey: String(number) })
  await add(sends, rows(57, row))
  const seen: string[] = []
  let cursor = ''
  for (let page = 0; page < 20; page++) {
    const { body, headers } = await call('GET', `/sends?status=sent&limit=10${cursor}`)
    seen.push(...body.map(({ _id }: { readonly _id: string }) => _id))
    const queuedAt = new Date(at.getTime() + 1_000 + page)
    const later = { ...row(0), queuedAt, dedupeKey: `later ${page}` }
    await add(sends, [{ ...later, _id: id(10_000 + page) }])
    const next = headers['x-next-cursor']
    if (next === undefined) break
    cursor = `&cursor=${encodeURIComponent(String(next))}`
  }
  t.same(
    seen,
    rows(57, {})
      .map(({ _id }) => _id)
      .reverse()
  )
})

test('a cursor of another list is refused by its name', async (t) => {
  const { call } = await openAdmin(t)
  for (const path of ['/sends', '/suppressions', '/audit', '/broadcasts']) {
    const fields = [{ path: 'cursor' }]
    const refused = { status: 400, body: { error: 'validation_failed', fields } }
    t.match(await call('GET', `${path}?cursor=nonsense`), refused, path)
  }
})
