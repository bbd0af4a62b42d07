// The deliverability functions that the package exports by name.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import * as deliverability from '@keelson/mailer/deliverability'
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

test('an entry exports the deliverability functions by name', (t) => {
  const kinds = NAMES.map((name) => [
    name,
    typeof (deliverability as Record<string, unknown>)[name]
  ])
  t.same(
    kinds,
    NAMES.map((name) => [name, 'function'])
  )
  t.end()
})

// Names each deliverability module that a process loads; hooks run in a thread without a console.
const HOOKS = `import { writeSync } from 'node:fs'
export async function resolve(specifier, context, next) {
  const found = await next(specifier, context)
  if (found.url.includes('/deliverability/')) writeSync(1, found.url + '\\n')
  return found
}`

async function deliverabilityModules(file: string): Promise<number> {
  const hooks = `data:text/javascript,${encodeURIComponent(HOOKS)}`
  const url = new URL(`../../${file}`, import.meta.url)
  const code = `import { register } from 'node:module'
    register(${JSON.stringify(hooks)})
    await import(${JSON.stringify(url)})`
  const args = ['--input-type=module', '--eval', code]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  return stdout.split('\n').length - 1
}

test('the plugin and the entry of the package load no deliverability package', async (t) => {
  t.equal(await deliverabilityModules(manifest.main), 0)
  t.equal(await deliverabilityModules('dist/index.js'), 0)
  t.ok(await deliverabilityModules('dist/deliverability.js'), 'an entry of its own loads them')
})

test('the mailer installs no deliverability package: each is an optional peer', (t) => {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  const { dependencies, peerDependencies, peerDependenciesMeta } = JSON.parse(text)
  const beside = Object.keys(peerDependencies).filter((name) => name in peerDependenciesMeta)
  t.same(
    Object.keys(dependencies).filter((name) => name.startsWith('@keelson/')),
    ['@keelson/sdk', '@keelson/ui']
  )
  const others = ['@keelson/programs', '@keelson/telemetry']
  t.equal(beside.filter((name) => !others.includes(name)).length, 8)
  t.end()
})

test('the commands set up SendGrid and DMARC', (t) => {
  t.same(
    commands.map(({ name }) => name),
    ['setup-sendgrid', 'setup-dmarc']
  )
  t.end()
})
