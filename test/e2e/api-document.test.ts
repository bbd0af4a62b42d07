// /openapi.json of the demo: every call is named, guarded and described, and a generated client compiles.
// Runs beside the others: it waits for much of its time.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { test } from 'tap'
import { startDemo } from '../hosts/demo-process.ts'
import { ROOT } from '../hosts/processes.ts'
import { runTool } from '../packages/install.ts'

const CLIENT = join(ROOT, 'test/api-client')
const tools = createRequire(join(CLIENT, 'package.json'))

interface Call {
  readonly key: string
  readonly operationId?: string
  readonly tags?: readonly string[]
  readonly security?: readonly object[]
  readonly responses: Readonly<Record<string, { readonly content?: object }>>
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Omit<Call, 'key'>>>>>
  readonly components: { readonly schemas: Readonly<Record<string, object>> }
}

const callsOf = ({ paths }: Document): readonly Call[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, call]) => ({ key: `${method} ${path}`, ...call }))
  )

/** Those that have no `security` must be declared for anybody. */
const PUBLIC = /^(agent|mailer|oauth|telemetry|mailbox|receivers|demo|dmarc)$/

const USE = `import createClient from 'openapi-fetch'
import type { components, paths } from './api.js'

const client = createClient<paths>({ baseUrl: 'http://127.0.0.1' })
type Template = components['schemas']['Template']

export async function rename(slug: string, name: string): Promise<Template | string> {
  const params = { path: { slug } }
  const changed = await client.PATCH('/admin/mailer/api/templates/{slug}/draft', {
    params,
    body: { name }
  })
  if (changed.error !== undefined) return changed.error.message
  const { data } = await client.GET('/admin/mailer/api/templates/{slug}', { params })
  return data ?? 'not found'
}

// @ts-expect-error a name is a text
await client.PATCH('/admin/mailer/api/templates/{slug}/draft', { params: { path: { slug: 'a' } }, body: { name: 1 } })
`

test('the document of the demo names every call, and a client is made of it', async (t) => {
  const dataDir = await mkdtemp(join(CLIENT, 'data-'))
  t.teardown(() => rm(dataDir, { recursive: true, force: true }))
  const demo = await startDemo(join(dataDir, 'db'))
  t.teardown(() => demo.stop())
  const text = await (await fetch(`${demo.url}/openapi.json`)).text()
  const document = JSON.parse(text) as Document
  const calls = callsOf(document)
  const ids = calls.map(({ operationId }) => operationId)
  t.same(
    calls.filter(({ operationId }) => operationId === undefined).map(({ key }) => key),
    []
  )
  t.same(
    ids.filter((id, at) => ids.indexOf(id) !== at),
    [],
    'each id is of one call'
  )
  t.same(
    calls.filter(({ tags = [] }) => tags.length === 0).map(({ key }) => key),
    []
  )
  t.ok(Object.keys(document.components.schemas).length > 20, 'schemas are shared')
  t.ok(
    calls.every(({ security, tags: [tag = ''] = [] }) => security !== undefined || PUBLIC.test(tag))
  )
  await writeFile(join(dataDir, 'openapi.json'), text)
  await writeFile(join(dataDir, 'use.ts'), USE)
  const generator = join(tools.resolve('openapi-typescript'), '../../bin/cli.js')
  await runTool([generator, 'openapi.json', '-o', 'api.d.ts'], dataDir)
  const compiler = tools.resolve('typescript/bin/tsc')
  const strict = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2022']
  t.equal(await runTool([compiler, ...strict, '--skipLibCheck', 'use.ts'], dataDir), '')
})
