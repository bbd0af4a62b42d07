// The form of ingest keys, their secrets, and what may be asked for.
import type { Collection } from 'mongodb'
import { test } from 'tap'
import { checkKey } from '../keys/check-key.ts'
import { drawKey, parseKeyString } from '../keys/key-format.ts'
import { createKeyRing } from '../keys/key-ring.ts'
import { createOverRate } from '../keys/over-rate.ts'
import { hashSecret, verifySecret } from '../keys/secret.ts'
import type { StoredKey } from '../storage/stored-key.ts'

test('keys come apart into what they were drawn from', async (t) => {
  const secret = drawKey('secret', 'live')
  t.match(secret.key, /^sk_live_tk_[0-9a-f]{24}_[0-9a-f]{48}$/)
  t.same(parseKeyString(secret.key), { kind: 'secret', id: secret.id, secret: secret.secret })
  const open = drawKey('publishable', 'shop1')
  t.match(open.key, /^pk_shop1_tk_[0-9a-f]{24}$/)
  t.same(parseKeyString(open.key), { kind: 'publishable', id: open.id, secret: undefined })
})

test('anything else is not a key', async (t) => {
  const { key } = drawKey('secret', 'live')
  for (const bad of [
    '',
    'sk_live',
    key.toUpperCase(),
    `${key}0`,
    key.slice(1),
    ` ${key}`,
    `pk${key.slice(2)}`
  ]) {
    t.equal(parseKeyString(bad), undefined, bad)
  }
})

test('a secret is verified against its own hash only', async (t) => {
  const stored = await hashSecret('abc')
  t.match(stored, /^scrypt1\$/)
  t.equal(await verifySecret('abc', stored), true)
  t.equal(await verifySecret('abd', stored), false)
  t.equal(await verifySecret('abc', 'plain'), false)
  t.not(stored, await hashSecret('abc'))
})

const good = { kind: 'secret', tenantMode: 'fixed', tenantId: 'acme', service: 'web', env: 'prod' }

test('a key gets defaults by its kind', async (t) => {
  t.match(checkKey(good), {
    ok: true,
    request: {
      owner: 'acme',
      label: 'live',
      maxPerMinute: 600_000,
      allowedKinds: ['event', 'error', 'span', 'state', 'usage']
    }
  })
  const open = checkKey({ ...good, kind: 'publishable', origins: ['https://Shop.example'] })
  t.match(open, {
    ok: true,
    request: {
      maxPerMinute: 600,
      allowedKinds: ['event', 'error', 'span'],
      origins: ['https://shop.example']
    }
  })
  const claimed = checkKey({ ...good, tenantMode: 'claimed', tenantId: undefined })
  t.match(claimed, { ok: true, request: { owner: '*' } })
})

test('what cannot be right is refused with the setting', async (t) => {
  const wrong: readonly [object, string][] = [
    [{ kind: 'master' }, 'kind'],
    [{ tenantMode: 'open' }, 'tenantMode'],
    [{ tenantId: undefined }, 'tenantId'],
    [{ tenantId: '*' }, 'tenantId'],
    [{ tenantId: ' ' }, 'tenantId'],
    [{ tenantId: { $gt: '' } }, 'tenantId'],
    [{ tenantMode: 'session' }, 'tenantId'],
    [{ kind: 'publishable', tenantMode: 'claimed', tenantId: undefined }, 'tenantMode'],
    [{ kind: 'publishable', allowedKinds: ['usage'] }, 'allowedKinds'],
    [{ allowedKinds: [] }, 'allowedKinds'],
    [{ allowedKinds: ['thing'] }, 'allowedKinds'],
    [{ allowedNames: 'page.viewed' }, 'allowedNames'],
    [{ env: 'live' }, 'env'],
    [{ service: '' }, 'service'],
    [{ label: 'A-b' }, 'label'],
    [{ origins: ['shop.example'] }, 'origins'],
    [{ origins: ['https://shop.example/path'] }, 'origins'],
    [{ maxPerMinute: 0 }, 'maxPerMinute'],
    [{ maxPerMinute: 100_000_001 }, 'maxPerMinute'],
    [{ maxPerMinute: '600' }, 'maxPerMinute']
  ]
  for (const [change, path] of wrong) {
    t.match(checkKey({ ...good, ...change }), { ok: false, path }, JSON.stringify(change))
  }
})

test('made-up keys drive no real one out of memory', async (t) => {
  const asked: string[] = []
  const stored = { _id: 'tk_real' } as StoredKey
  const keys = {
    async findOne({ _id }: { _id: string }) {
      asked.push(_id)
      return _id === stored._id ? stored : null
    }
  } as unknown as Collection<StoredKey>
  const ring = createKeyRing({ keys, now: () => new Date(30_000) })
  t.equal(await ring.find('tk_real'), stored)
  for (let n = 0; n < 6000; n++) await ring.find(`tk_${n}`)
  asked.length = 0
  await ring.find('tk_real')
  await ring.find('tk_5999')
  t.same(asked, [], 'both are known')
  ring.forget('tk_5999')
  await ring.find('tk_5999')
  t.same(asked, ['tk_5999'])
})

test('records over the rate of a key are counted on it and said in the log, once a minute', async (t) => {
  const warnings: object[] = []
  const updates: object[] = []
  const recorded: object[] = []
  const waiting: (() => void)[] = []
  const stopped: (() => void)[] = []
  let at = 0
  const overRate = createOverRate({
    keys: {
      updateOne: async (_filter: object, update: object) => void updates.push(update)
    } as never,
    logger: {
      info() {},
      warn: (details) => void warnings.push(details),
      error() {}
    },
    now: () => new Date(at),
    record: ({ tenantId, count }) => void recorded.push({ tenantId, count }),
    later(act) {
      waiting.push(act)
      return () => void stopped.push(act)
    }
  })
  const key = { _id: 'tk_1', service: 'checkout', maxPerMinute: 5 } as StoredKey
  for (const [seconds, count] of [
    [0, 3],
    [10, 4],
    [20, 0],
    [61, 2]
  ] as const) {
    at = seconds * 1000
    overRate.note(key, count, 'acme')
  }
  t.match(warnings, [
    { service: 'checkout', refused: 3 },
    { service: 'checkout', refused: 6 }
  ])
  t.match(updates, [{ $inc: { 'overRate.count': 3 } }, { $inc: { 'overRate.count': 6 } }])
  t.same(recorded, [
    { tenantId: 'acme', count: 3 },
    { tenantId: 'acme', count: 6 }
  ])
  at = 70_000
  overRate.note(key, 7, 'acme')
  overRate.note(key, 1, 'acme')
  t.equal(recorded.length, 2)
  t.equal(waiting.length, 1, 'one wait, whatever is noted in it')
  waiting[0]?.()
  t.same(recorded.at(-1), { tenantId: 'acme', count: 8 }, 'what the sender did not come again for')
  overRate.note(key, 2, 'acme')
  overRate.close()
  t.same(stopped, [waiting[1]], 'a closed host waits for nothing')
  t.match(warnings.at(-1), { refused: 2 }, 'and says the rest in its log')
  overRate.close()
  t.equal(warnings.length, 4, 'nothing is said twice')
  t.equal(recorded.length, 3)
})
