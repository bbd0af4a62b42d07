// Opens, clicks and the honeypot over HTTP, and what they leave behind on the real engine.
import { createHash } from 'node:crypto'
import { crc32, inflateSync } from 'node:zlib'
import { test } from 'tap'
import { readOutcomes } from '../../ledger/outcomes/read-outcomes.ts'
import type { PreparedTemplate, RenderInput } from '../../ledger/prepared-template.ts'
import { linkIdOf, sendIdOf, unkeyedLinkId } from '../../ledger/send-id.ts'
import type { SendRow } from '../../ledger/send-row.ts'
import { publicApp } from '../../test/public-app.ts'
import { sentMail } from '../../test/sent-mail.ts'
import { type TestContextOptions, testContext } from '../../test/test-context.ts'
import { clickAddress, honeypotAddress, openAddress } from '../sends/tracking-addresses.ts'
import { trackingSignature } from '../sends/tracking-signature.ts'

const base = { publicUrl: '', secret: 'a secret of some length' }
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const DAY = 86_400_000

type Test = Parameters<typeof testContext>[0]

async function tracked(t: Test, row: Partial<SendRow> = {}, options: TestContextOptions = {}) {
  const kit = await testContext(t, options)
  const send = sentMail('ada', row)
  await kit.context.collections.sends.insertOne(send)
  const app = await publicApp(t, kit.context)
  const get = (url: string, userAgent = BROWSER) =>
    app.inject({ url, headers: { 'user-agent': userAgent } })
  /** Writes what was counted, and reads the row. */
  const settled = async () => {
    await app.close()
    return (await kit.context.collections.sends.findOne({ _id: send._id })) as SendRow
  }
  const linkId = send.links?.[0]?.linkId ?? ''
  return { ...kit, app, send, get, settled, linkId, click: clickAddress(base, send._id, linkId) }
}

test('the pixel is a transparent PNG of one pixel that is never cached', async (t) => {
  const { get, send } = await tracked(t)
  const answer = await get(openAddress(base, send._id))
  t.equal(answer.statusCode, 200)
  t.equal(answer.headers['content-type'], 'image/png')
  t.equal(answer.headers['cache-control'], 'no-store, no-cache, must-revalidate, max-age=0')
  const bytes = answer.rawPayload
  t.equal(bytes.subarray(0, 8).toString('hex'), '89504e470d0a1a0a')
  const pixels: Buffer[] = []
  for (let at = 8; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at)
    const checked = bytes.subarray(at + 4, at + 8 + length)
    t.equal(bytes.readUInt32BE(at + 8 + length), crc32(checked))
    if (checked.subarray(0, 4).toString() === 'IDAT') pixels.push(checked.subarray(4))
    at += 12 + length
  }
  t.same([...inflateSync(Buffer.concat(pixels))], [0, 0, 0])
})

test('opens are counted, the first time stays, and the 50 newest are kept', async (t) => {
  const { get, send, settled, pass } = await tracked(t)
  for (let at = 0; at < 55; at++) {
    await get(openAddress(base, send._id), `${BROWSER} ${at}`)
    pass(10)
  }
  const row = await settled()
  t.match(row, { openCount: 55, status: 'opened' })
  t.equal(row.opens?.length, 50)
  t.equal(row.opens?.[0]?.userAgent, `${BROWSER} 5`)
  t.ok(row.openedAt !== undefined && row.openedAt < (row.opens?.[0]?.openedAt ?? 0))
  t.same(row.humanOpenedAt, row.openedAt)
})

test('every pixel address answers alike; forged ones are not counted', async (t) => {
  const { get, send, settled } = await tracked(t)
  const valid = await get(openAddress(base, send._id))
  const paths = [
    `${send._id}.${'A'.repeat(12)}.png`,
    `${send._id}.${trackingSignature(base.secret, 'click', send._id)}.png`,
    `${send._id}.${trackingSignature('another secret altogether', 'open', send._id)}.png`,
    `${send._id}.short.png`,
    `${'f'.repeat(24)}.${trackingSignature(base.secret, 'open', 'f'.repeat(24))}.png`,
    'nonsense.png',
    '__proto__',
    `${'x'.repeat(5000)}.png`
  ]
  for (const path of paths) {
    const answer = await get(`/m/open/${path}`)
    t.equal(answer.statusCode, 200, path.slice(0, 60))
    t.same(answer.rawPayload, valid.rawPayload)
    t.same({ ...answer.headers, date: '' }, { ...valid.headers, date: '' })
  }
  t.equal((await settled()).openCount, 1)
})

test('an unsigned address is counted with one line in the log, or refused where signatures are required', async (t) => {
  const legacy = await tracked(t)
  await legacy.get(`/m/open/${legacy.send._id}.png`)
  t.equal((await legacy.settled()).openCount, 1)
  const infos = legacy.logged.filter(({ level }) => level === 'info')
  t.same(
    infos.map(({ message }) => message),
    ['mailer: unsigned tracking URL accepted (legacy grace mode applies)']
  )

  const strict = await tracked(t, {}, { config: { requireSignedTrackingUrls: true } })
  t.equal((await strict.get(`/m/open/${strict.send._id}.png`)).statusCode, 200)
  const click = await strict.get(`/m/click/${strict.send._id}/${strict.linkId}`)
  t.equal(click.statusCode, 404)
  t.equal(strict.logged.filter(({ level }) => level === 'warn').length, 2)
  const row = await strict.settled()
  t.same([row.openCount, row.clickCount], [undefined, undefined])
})

test('an unsigned address counts for mail queued before the configured date alone', async (t) => {
  const config = { unsignedTrackingBefore: '2026-03-01T00:00:00Z' }
  for (const [queuedAt, status, count] of [
    ['2026-02-28T23:59:59Z', 302, 1],
    ['2026-03-01T00:00:00Z', 404, undefined]
  ] as const) {
    const { get, send, linkId, settled, click } = await tracked(
      t,
      { queuedAt: new Date(queuedAt) },
      { config }
    )
    t.equal((await get(`/m/open/${send._id}.png`)).statusCode, 200)
    t.equal((await get(`/m/click/${send._id}/${linkId}`)).statusCode, status)
    t.equal((await get(click)).statusCode, 302, 'a signed address counts whenever')
    const { openCount, clickCount } = await settled()
    t.same([openCount, clickCount], [count, (count ?? 0) + 1], queuedAt)
  }
})

test('an address that anybody can make from a known key counts for nothing', async (t) => {
  const dedupeKey = 'oneoff:order-receipt:1001'
  const derived = createHash('sha256').update(dedupeKey).digest('hex').slice(0, 24)
  const old = await tracked(t, { _id: derived, dedupeKey })
  t.equal((await old.get(`/m/open/${derived}.png`)).statusCode, 200)
  t.equal((await old.get(`/m/click/${derived}/${old.linkId}`)).statusCode, 404)
  t.equal((await old.get(old.click)).statusCode, 302)
  const row = await old.settled()
  t.same([row.openCount, row.clickCount], [undefined, 1])

  const keyed = await tracked(t, { dedupeKey, _id: sendIdOf(base.secret, dedupeKey) })
  await keyed.get(`/m/open/${derived}.png`)
  t.equal((await keyed.get(`/m/click/${derived}/${keyed.linkId}`)).statusCode, 404)
  t.equal((await keyed.settled()).openCount, undefined)
})

test('a click leads to the stored target and is counted', async (t) => {
  const { get, click, settled, linkId } = await tracked(t)
  const answer = await get(click)
  t.equal(answer.statusCode, 302)
  t.equal(answer.headers.location, 'https://example.test/one?a=1&b=2')
  t.equal((await get(click)).statusCode, 302)
  const row = await settled()
  t.match(row, { clickCount: 2, status: 'clicked', humanClickedAt: Date })
  t.match(row.clickedLinks?.[0], { linkId, url: 'https://example.test/one?a=1&b=2' })
})

test('an answer does not wait for the database to count', async (t) => {
  const { get, click, send, context, settled } = await tracked(t)
  const { sends } = context.collections
  const bulkWrite = sends.bulkWrite.bind(sends)
  let letWrite: () => void = () => {}
  const held = new Promise<void>((resolve) => {
    letWrite = resolve
  })
  sends.bulkWrite = (...given) => held.then(() => bulkWrite(...given))
  t.equal((await get(openAddress(base, send._id))).statusCode, 200)
  t.equal((await get(click)).statusCode, 302)
  letWrite()
  t.match(await settled(), { openCount: 1, clickCount: 1 })
})

test('unknown sends, unknown links and wrong signatures answer 404 alike', async (t) => {
  const { get, send, linkId, settled } = await tracked(t)
  const nowhere = 'f'.repeat(24)
  const paths = [
    `${nowhere}/${linkId}/${trackingSignature(base.secret, 'click', nowhere, linkId)}`,
    `${send._id}/00000000000f/${trackingSignature(base.secret, 'click', send._id, '00000000000f')}`,
    `${send._id}/${linkId}/${'A'.repeat(12)}`,
    `${send._id}/${linkId}/${trackingSignature(base.secret, 'open', send._id)}`,
    `${send._id}/${linkId}/${trackingSignature('another secret altogether', 'click', send._id, linkId)}`
  ]
  const bodies = new Set<string>()
  for (const path of paths) {
    const answer = await get(`/m/click/${path}`)
    t.equal(answer.statusCode, 404, path)
    t.equal(answer.headers.location, undefined)
    bodies.add(answer.payload)
  }
  t.equal(bodies.size, 1)
  t.equal((await get('/m/click/not-an-id/abc/AAAAAAAAAAAA')).statusCode, 400)
  t.equal((await settled()).clickCount, undefined)
})

for (const url of ['javascript:alert(1)', 'data:text/html,x', 'ftp://x.test', '//x.test', '']) {
  test(`a stored target "${url}" answers 400 without being shown or counted`, async (t) => {
    const { get, click, settled, logged, linkId } = await tracked(t, {
      links: [{ linkId: '000000000001', url }]
    })
    t.equal(linkId, '000000000001')
    const answer = await get(click)
    t.equal(answer.statusCode, 400)
    t.equal(answer.headers.location, undefined)
    if (url !== '') t.notOk(answer.payload.includes(url))
    t.ok(logged.some(({ level }) => level === 'warn'))
    t.equal((await settled()).clickCount, undefined)
  })
}

test('a target with line breaks and foreign characters becomes one safe header', async (t) => {
  const url = 'https://example.test/a\r\nset-cookie: x=1/ü'
  const { get, click } = await tracked(t, { links: [{ linkId: '000000000001', url }] })
  const answer = await get(click)
  t.equal(answer.statusCode, 302)
  t.equal(answer.headers['set-cookie'], undefined)
  t.match(answer.headers.location, /^https:\/\/example\.test\/aset-cookie:%20x=1\/%C3%BC$/)
})

test('links end with their lifetime, and the pixel still answers 200', async (t) => {
  const { get, click, send, settled, pass } = await tracked(
    t,
    {},
    { config: { trackingUrlLifetimeDays: 30 } }
  )
  pass(29 * DAY)
  t.equal((await get(click)).statusCode, 302)
  pass(2 * DAY)
  t.equal((await get(click)).statusCode, 404)
  t.equal((await get(openAddress(base, send._id))).statusCode, 200)
  const row = await settled()
  t.same([row.clickCount, row.openCount], [1, undefined])
})

test('hits of machines count and are marked with their reasons, without engaging a contact', async (t) => {
  const { app, get, click, send, settled, context } = await tracked(t)
  await context.collections.subscriptions.insertOne({
    _id: 's',
    externalId: send.externalId,
    status: 'subscribed',
    source: 'test',
    createdAt: new Date(),
    updatedAt: new Date()
  })
  await get(click, 'Mozilla/5.0 (compatible; Proofpoint)')
  await app.inject({ method: 'HEAD', url: openAddress(base, send._id) })
  await app.inject({ url: openAddress(base, send._id), headers: { 'sec-purpose': 'prefetch' } })
  const row = await settled()
  t.match(row, { clickCount: 1, openCount: 2, status: 'clicked' })
  t.same(row.clickedLinks?.[0]?.machine, ['agent'])
  t.same(row.opens?.flatMap(({ machine }) => machine ?? []).sort(), ['head', 'prefetch'])
  t.same([row.humanOpenedAt, row.humanClickedAt], [undefined, undefined])
  t.notOk((await context.collections.subscriptions.findOne({}))?.lastEngagedAt)
  const { items } = await readOutcomes(context)
  t.same(items.map(({ type, isMachine }) => `${type} ${isMachine}`).sort(), [
    'click true',
    'open true'
  ])
})

test('a person is engaged, and the feed has one outcome per mail and link', async (t) => {
  const { get, click, send, settled, context } = await tracked(t)
  const row = { externalId: send.externalId, status: 'subscribed', source: 'test' } as const
  const at = new Date(0)
  await context.collections.subscriptions.insertOne({
    _id: 's',
    ...row,
    createdAt: at,
    updatedAt: at
  })
  for (let round = 0; round < 3; round++) {
    await get(click)
    await get(openAddress(base, send._id))
  }
  const { humanClickedAt } = await settled()
  t.ok((await context.collections.subscriptions.findOne({}))?.lastEngagedAt)
  t.ok(humanClickedAt)
  const { items } = await readOutcomes(context)
  t.same(items.map(({ type, isMachine }) => `${type} ${isMachine}`).sort(), [
    'click false',
    'open false'
  ])
})

test('all links at once make earlier clicks a machine, found by a later process', async (t) => {
  const { get, send, settled, context, pass } = await tracked(t)
  const [one, two, three] = (send.links ?? []).map(({ linkId }) =>
    clickAddress(base, send._id, linkId)
  )
  await get(one ?? '')
  t.ok((await settled()).humanClickedAt, 'one click is a person')
  pass(700)
  const other = await publicApp(t, context)
  for (const url of [two, three]) {
    await other.inject({ url: url ?? '', headers: { 'user-agent': BROWSER } })
    pass(700)
  }
  await other.close()
  const row = await context.collections.sends.findOne({ _id: send._id })
  t.same(
    row?.clickedLinks?.map(({ machine }) => machine),
    Array(3).fill(['all_links'])
  )
  t.equal(row?.humanClickedAt, undefined)
  t.match(row, { clickCount: 3, status: 'clicked' })
})

test('a visit of the honeypot marks what its user agent did within a minute', async (t) => {
  const { get, click, send, settled, pass } = await tracked(t)
  await get(click, 'Scanner 1')
  pass(30_000)
  await get(click)
  const answer = await get(honeypotAddress(base, send._id), 'Scanner 1')
  t.equal(answer.statusCode, 200)
  t.match(answer.headers['content-type'], /text\/html/)
  t.equal((await get(`/m/more/${send._id}/${'A'.repeat(12)}`)).statusCode, 404)
  const row = await settled()
  t.same(
    row.clickedLinks?.map(({ machine }) => machine),
    [['honeypot'], undefined]
  )
  t.same(row.humanClickedAt, row.clickedLinks?.[1]?.clickedAt)
  t.equal(row.honeypotVisits?.length, 1)
})

test('a hit shows that a mail of unknown outcome was sent', async (t) => {
  const at = new Date(Date.now() - 60_000)
  const { get, send, settled } = await tracked(t, {
    handoff: 'unknown',
    status: 'unknown',
    state: 'due',
    dueAt: new Date(Date.now() + 60_000),
    errorMessage: 'no answer',
    attempt: { number: 1, at, provider: 'recording', messageId: '<x@y>' }
  })
  await get(openAddress(base, send._id))
  const row = await settled()
  t.match(row, { handoff: 'sent', status: 'opened', state: 'done', sentAt: Date })
  t.equal(row.errorMessage, undefined)
  t.equal(row.dueAt, undefined)
})

test('a user agent is kept up to 256 characters, the address only on request', async (t) => {
  const hostile = `<script>$where {{x}} ${'a'.repeat(5000)}`
  const plain = await tracked(t)
  await plain.get(openAddress(base, plain.send._id), hostile)
  const [open] = (await plain.settled()).opens ?? []
  t.equal(open?.userAgent, hostile.slice(0, 256))
  t.equal(open?.ip, undefined)
  const keeping = await tracked(t, {}, { config: { storeTrackingIp: true } })
  await keeping.get(keeping.click)
  t.equal((await keeping.settled()).clickedLinks?.[0]?.ip, '127.0.0.1')
})

test('a click of a mail whose hand-over got no answer leads to its target', async (t) => {
  const target = 'https://example.test/paid'
  const template = {
    slug: 'news',
    bodyFormat: 'multipart',
    render({ addresses }: RenderInput) {
      const links = [{ linkId: addresses.linkId?.(target) ?? '', url: target }]
      return { ok: true, mail: { subject: '', preheader: '', html: '', text: '', links } }
    }
  } as unknown as PreparedTemplate
  const { context, app, send, get } = await tracked(
    t,
    { handoff: 'unknown', status: 'unknown' },
    {
      contacts: [{ externalId: 'contact-ada', email: 'ada@x.test', tags: [], fields: {} }],
      templates: { load: async () => new Map([['news', template]]) }
    }
  )
  await context.collections.sends.updateOne({ _id: send._id }, { $unset: { links: '' } })
  const answer = await get(clickAddress(base, send._id, linkIdOf(base.secret, send._id, target)))
  t.equal(answer.statusCode, 302)
  t.equal(answer.headers.location, target)
  const earlier = clickAddress(base, send._id, unkeyedLinkId(send._id, target))
  t.equal((await get(earlier)).headers.location, target, 'a mail of before link ids had a secret')
  t.equal((await get(clickAddress(base, send._id, '0'.repeat(12)))).statusCode, 404)
  await app.close()
  t.match(await context.collections.sends.findOne({ _id: send._id }), { status: 'clicked' })
})
