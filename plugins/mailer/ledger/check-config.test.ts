// The configuration of a mailer: what is refused, with which words, and what is filled in.
import { test } from 'tap'
import { resolveConfig } from './check-config.ts'

const provider = {
  name: 'null',
  send: async () => ({ status: 'accepted', providerId: '1' }),
  verifyWebhook: () => false,
  parseWebhookEvents: () => []
}
const adapter = Object.fromEntries(
  ['getById', 'getByEmail', 'getBatch', 'query', 'count'].map((name) => [name, async () => null])
)
const base = {
  db: {},
  adapter,
  providers: { first: provider, second: provider },
  publicUrl: 'https://mail.example.test/',
  unsubscribeSecret: 'a secret of some length'
}

test('what is left out has its default, and an undefined setting is left out', async (t) => {
  const config = resolveConfig({ ...base, sendConcurrency: undefined })
  t.match(config, {
    defaultProvider: 'first',
    defaultTransactionalProvider: 'first',
    sendConcurrency: 5,
    sendRetryAttempts: 4,
    requireSignedTrackingUrls: false,
    trackingUrlLifetimeDays: 0,
    unsubscribeWriteTimeoutMs: 5000,
    queue: { driver: 'leased' }
  })
  t.equal(config.publicUrl, 'https://mail.example.test')
})

test('the transactional provider is the default one unless it is named', async (t) => {
  const config = resolveConfig({ ...base, defaultProvider: 'second' })
  t.equal(config.defaultTransactionalProvider, 'second')
  const named = resolveConfig({ ...base, defaultTransactionalProvider: 'second' })
  t.equal(named.defaultProvider, 'first')
})

const refused: readonly (readonly [string, object, RegExp])[] = [
  ['neither db nor mongo', { db: undefined }, /db or mongo must be given/],
  ['db and mongo', { mongo: { uri: 'mongodb://x' } }, /mongo cannot be given together with db/],
  ['an unknown default provider', { defaultProvider: 'third' }, /first, second.*"third"/],
  [
    'a provider without send',
    { providers: { first: {} } },
    /providers\.first must have the method send/
  ],
  [
    'a fallback that is unknown',
    { providerFallbacks: { first: 'third' } },
    /providerFallbacks\.first must name providers \(first, second\), but is "third"/
  ],
  [
    'a provider that takes over from itself',
    { providerFallbacks: { first: 'first' } },
    /must name another/
  ],
  [
    'a warm-up for an unknown mailbox provider',
    { warmUp: { hotmail: {} } },
    /warmUp\.hotmail is unknown/
  ],
  [
    'a warm-up that shrinks',
    { warmUp: { gmail: { startsOn: '2026-11-01', startPerDay: 5, growth: 0.5, capPerDay: 9 } } },
    /warmUp\.gmail\.growth/
  ],
  ['an adapter without getBatch', { adapter: { ...adapter, getBatch: 1 } }, /method getBatch/],
  ['a public address that is not http', { publicUrl: 'ftp://x' }, /publicUrl/],
  ['an unknown setting', { sendRate: 5 }, /sendRate is unknown/],
  ['a rate of zero', { sendRatePerSecond: 0 }, /sendRatePerSecond/],
  [
    'variables that take a reserved root',
    { varsAdapter: { schema: { properties: { contact: {} } }, resolve: () => ({}) } },
    /contact, which is reserved/
  ],
  [
    'a category twice',
    { categories: ['news', 'news'].map((id) => ({ id, label: id })) },
    /categories must not repeat an id, but is "news"/
  ]
]
for (const [name, more, message] of refused) {
  test(`${name} is refused by name`, async (t) => {
    t.throws(() => resolveConfig({ ...base, ...more }), { code: 'MLR_CONFIG_INVALID', message })
  })
}

test('a short secret is refused and not shown', async (t) => {
  try {
    resolveConfig({ ...base, unsubscribeSecret: 'hunter2' })
    t.fail('it was taken')
  } catch (error) {
    t.match(String(error), /unsubscribeSecret/)
    t.notMatch(String(error), /hunter2/)
  }
})
