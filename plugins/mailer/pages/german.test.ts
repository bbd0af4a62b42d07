// The German sentences of what the admin API says: `npm run lint` checks the other catalogs.
import { RULE_IDS } from '@keelson/content-linter'
import { test } from 'tap'
import { POLICY_MESSAGES } from '../delivery/sends/policy-waits.ts'
import { adminRefusalWords } from '../ledger/refusals.ts'
import refusals from './refusals.de.json' with { type: 'json' }

const keysOf = (kind: string) =>
  Object.keys(refusals)
    .filter((key) => key.startsWith(`${kind}.`))
    .map((key) => key.slice(kind.length + 1))

test('each word that the admin API refuses with has a German sentence, and no other has', async (t) => {
  t.same(keysOf('code').toSorted(), [...new Set(adminRefusalWords)].toSorted())
})

/** Of other parts: the gate of the circuit breaker, and holds that are written where they are decided. */
const HOLDS = [
  'marketing_paused',
  'broadcast_paused',
  'gate_failed',
  'circuit_breaker_tripped',
  'campaign_unanswered',
  'owner_forbidden',
  'warm_up'
]

test('each cause that holds mail has a German sentence', async (t) => {
  t.same(keysOf('hold').toSorted(), [...HOLDS, ...Object.keys(POLICY_MESSAGES)].toSorted())
})

const ruleIds = new Set<string>(RULE_IDS)

test('each rule of the linter has a German sentence', async (t) => {
  t.same(keysOf('lint').toSorted(), [...ruleIds].toSorted())
  for (const rule of keysOf('lintHint')) t.ok(ruleIds.has(rule), rule)
})

/** They quote a compiler and a mail service, whose words the API does not know. */
const QUOTING = ['code.compile_failed', 'code.provider_failed', 'lint.compile_failed']

test('no German sentence goes on in the English of the API', async (t) => {
  for (const [key, words] of Object.entries(refusals))
    t.equal(words.includes('{message}'), QUOTING.includes(key), key)
})
