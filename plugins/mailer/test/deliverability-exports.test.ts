// The deliverability functions that the package exports by name.
import * as mailer from '@keelson/mailer'
import { test } from 'tap'
import commands from '../commands.ts'
import manifest from '../plugin.json' with { type: 'json' }

const NAMES = [
  'recordHealthCounter',
  'evaluateHealth',
  'effectiveOverallStatus',
  'getBucketStatus',
  'runDnsblChecks',
  'runPostmasterPull',
  'runSndsPull',
  'ingestDmarcAttachment',
  'parseDmarcReport',
  'extractDmarcXml',
  'pruneDmarcFailures',
  'resolveSourceTags',
  'suggestPolicyProgression',
  'computeListHygiene',
  'createContentScorerClient',
  'evaluateContentScorerGate',
  'contentScorerContentKey',
  'lintTemplate'
]

test('the package exports the deliverability functions by name', (t) => {
  const kinds = NAMES.map((name) => [name, typeof (mailer as Record<string, unknown>)[name]])
  t.same(
    kinds,
    NAMES.map((name) => [name, 'function'])
  )
  t.end()
})

test('the platform starts the plugin without the deliverability packages', (t) => {
  t.equal(manifest.main, './dist/plugin.js')
  t.end()
})

test('the commands set up SendGrid and DMARC', (t) => {
  t.same(
    commands.map(({ name }) => name),
    ['setup-sendgrid', 'setup-dmarc']
  )
  t.end()
})
