// The domains that a mailer sends from.
import { test } from 'tap'
import { senderDomains } from './sender-domains.ts'

test('registered domains come first, then those of the default addresses, each once', async (t) => {
  t.same(
    senderDomains({
      senderDomains: { 'News.Acme.test': { kind: 'marketing' } },
      fromDefaults: { name: 'Acme', email: 'hello@news.acme.test' },
      transactionalFromDefaults: { name: 'Acme', email: 'hello@acme.test' }
    }),
    [
      { domain: 'news.acme.test', kind: 'marketing' },
      { domain: 'acme.test', kind: 'transactional', isUnregistered: true }
    ]
  )
})

test('a single default address sends both kinds', async (t) => {
  const fromDefaults = { name: 'Acme', email: 'hello@acme.test' }
  t.same(senderDomains({ fromDefaults }), [
    { domain: 'acme.test', kind: 'both', isUnregistered: true }
  ])
})
