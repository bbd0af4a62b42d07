// What a start of the platform loads: no package that only some requests need.
import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { test } from 'tap'
import { ROOT } from '../hosts/processes.ts'

/** Entries of the packages, which a host loads, and what they are called where others import them. */
const ENTRIES = [
  'kernel',
  'plugins/telemetry',
  'plugins/telemetry-dashboard',
  'plugins/oauth',
  'plugins/mailer',
  'plugins/agent',
  'plugins/programs',
  'plugins/embeds',
  'plugins/platform',
  ...[
    'block-lists',
    'circuit-breaker',
    'dmarc',
    'list-hygiene',
    'postmaster',
    'snds',
    'content-scorer'
  ].map((name) => `plugins/deliverability/${name}`)
].map((folder) => join(ROOT, folder, 'dist', 'index.js'))

/** Packages that one kind of request needs. */
const LATE = [
  '@duckdb/node-api',
  '@modelcontextprotocol/server',
  'handlebars',
  'html-to-text',
  'juice',
  'mjml-core',
  'nodemailer/lib/mail-composer',
  'nodemailer/lib/smtp-connection',
  'postal-mime',
  'tldts',
  'undici',
  'yauzl'
]

/** Imports that are carried out when a module is loaded. In the output types are gone. */
const IMPORT = /^(?:import|export)\b(?:[^'"()]*?\bfrom)?\s*["']([^"']+)["']/gm

/** Each package that is loaded with the entries, and the module that imports it first. */
function loadedWith(entries: readonly string[]): Map<string, string> {
  const packages = new Map<string, string>()
  const waiting = [...entries]
  const seen = new Set<string>()
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (seen.has(file) || file.endsWith('.json')) continue
    seen.add(file)
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(IMPORT)) {
      if (name.startsWith('.')) waiting.push(resolve(dirname(file), name))
      else if (!packages.has(name)) packages.set(name, file)
      const ours = /^@keelson\/sdk(\/.*)?$/.exec(name)
      if (ours !== null) waiting.push(join(ROOT, sdkFile(ours[1] ?? '')))
    }
  }
  return packages
}

const { exports: sdkExports } = JSON.parse(
  readFileSync(join(ROOT, 'sdk', 'package.json'), 'utf8')
) as { readonly exports: Readonly<Record<string, string | { readonly default: string }>> }

/** The module behind a path of the SDK. */
function sdkFile(path: string): string {
  const found = sdkExports[`.${path}`] ?? sdkExports['./contracts/*']
  const file = typeof found === 'string' ? found : (found?.default ?? '')
  return join('sdk', file.replace('*', path.split('/').at(-1) ?? ''))
}

test('a start loads no package that only some requests need', (t) => {
  const packages = loadedWith(ENTRIES)
  t.ok(packages.has('fastify-plugin'), 'the walk finds packages')
  t.ok(packages.size > 20)
  const early = LATE.flatMap((name) =>
    packages.has(name) ? [`${name}: ${packages.get(name)}`] : []
  )
  t.same(early, [])
  t.end()
})
