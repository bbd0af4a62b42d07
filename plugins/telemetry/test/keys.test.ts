// The form of ingest keys, their secrets, and what may be asked for.
import type { Collection } from 'mongodb'
import { test } from 'tap'
import { checkKey } from '../keys/check-key.ts'
import { drawKey, parseKeyString } from '../keys/key-format.ts'
import { createKeyRing } from '../keys/key-ring.ts'
import { createRateLimiter } from '../keys/rate.ts'
import { hashSecret, verifySecret } from '../keys/secret.ts'
import type { StoredKey } from '../keys/stored-key.ts'

test('keys come apart into what they were drawn from', async (t) => {
  const secret = drawKey('secret', 'live')
  t.match(secret.key, /^sk_live_tk_[0-9a-f]{24}_[0-9a-f]{48}$/)
  t.same(parseKeyString(secret.key), { kind: 'secret', id: secret.id, secret: secret.secret })
  const open = drawKey('publishable', 'shop1')
  t.match(open.key, /^pk_shop1_tk_[0-9a-f]{24}$/)
  t.same(parseKeyString(open.key), { kind: 'publishable', id: open.id, secret: undefined })
})

test('anything else is no key', async (t) => {
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
      maxPerMinute: 600,
      allowedKinds: ['event', 'error', 'span', 'state', 'usage']
    }
  })
  const open = checkKey({ ...good, kind: 'publishable', origins: ['https://Shop.example'] })
  t.match(open, {
    ok: true,
    request: { allowedKinds: ['event', 'error', 'span'], origins: ['https://shop.example'] }
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

test('keys that somebody makes up drive no real one out of memory', async (t) => {
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

/** A common count in memory, with the one command that the limiter sends. */
function countInMemory() {
  const used = new Map<string, number>()
  const asked: number[] = []
  const collection = {
    async findOneAndUpdate({ _id }: { _id: string }, { $inc }: { $inc: { used: number } }) {
      asked.push($inc.used)
      used.set(_id, (used.get(_id) ?? 0) + $inc.used)
      return { _id, used: used.get(_id) }
    }
  }
  return { asked, collection: collection as unknown as Parameters<typeof createRateLimiter>[0] }
}

test('a minute holds exactly the limit, over all processes and however many ask at once', async (t) => {
  const { collection } = countInMemory()
  const now = () => new Date(30_000)
  const processes = Array.from({ length: 4 }, () => createRateLimiter(collection, now))
  const key = { _id: 'tk', maxPerMinute: 500 }
  const taken = await Promise.all(
    Array.from({ length: 200 }, (_, n) => processes[n % 4]?.take(key, 7, false))
  )
  t.equal(
    taken.reduce<number>((sum, one) => sum + (one ?? 0), 0),
    500
  )
})

test('many at once ask the common count once, for a share of the limit', async (t) => {
  const { collection, asked } = countInMemory()
  const limiter = createRateLimiter(collection, () => new Date(30_000))
  const key = { _id: 'tk', maxPerMinute: 100_000 }
  await Promise.all(Array.from({ length: 20 }, () => limiter.take(key, 100, true)))
  t.same(asked, [2000])
})

test('what does not fit whole is given back, and the next minute starts anew', async (t) => {
  const { collection } = countInMemory()
  let at = 30_000
  const limiter = createRateLimiter(collection, () => new Date(at))
  const key = { _id: 'tk', maxPerMinute: 5 }
  t.same(
    [
      await limiter.take(key, 6, true),
      await limiter.take(key, 5, true),
      await limiter.take(key, 1, true)
    ],
    [0, 5, 0]
  )
  t.equal(limiter.retryAfterSeconds, 30)
  at = 60_000
  t.equal(await limiter.take(key, 5, true), 5)
})
