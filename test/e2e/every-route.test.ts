// Every route of the demo: what its answers say about caches, and what its request lines say about people and secrets.
// Runs beside the others: it waits for much of its time.
import { test } from 'tap'
import { startFreshDemo } from '../hosts/fresh-demo.ts'
import { until } from '../hosts/processes.ts'

const MARK = 'zz9secretzz9'
/** Names of parameters of queries that people and programs send, declared or not. */
const QUERY = ['key', 'token', 'request_id', 'email', 'subject', 'next', 'code', 'state']
/** Addresses of pages, which the document does not list. */
const PAGES = [
  '/account/consent',
  '/telemetry/journeys',
  `/telemetry/api/journey/user:${MARK}`,
  `/agent/contacts/by-email/${MARK}@example.test/of-no-route`,
  `/m/unsub/${MARK}`,
  `/m/open/${MARK}.png`,
  `/admin/mailer/contacts/${MARK}`
]

interface Parameter {
  readonly in: string
  readonly name: string
}
interface Call {
  readonly parameters?: readonly Parameter[]
  readonly security?: readonly object[]
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Call>>>>
}

/** Each route with a mark in each parameter. Answers of GET alone change nothing. */
function addressesOf({ paths }: Document) {
  return Object.entries(paths).flatMap(([path, calls]) =>
    Object.entries(calls).map(([method, { parameters = [], security }]) => {
      const named = parameters.flatMap((one) => (one.in === 'query' ? [one.name] : []))
      const query = new URLSearchParams(
        [...QUERY, ...named].map((name): [string, string] => [name, MARK])
      )
      const url = path.replace(/\{[^}]+\}|\*/g, MARK)
      return { method: method.toUpperCase(), url, query, isPublic: security === undefined }
    })
  )
}

async function signIn(url: string): Promise<string> {
  const answer = await fetch(`${url}/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ email: 'platform@keelson.test', password: 'keelson-demo' })
  })
  return (answer.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? ''
}

test('no request line of a route names what is in its address, and answers to a caller are not kept', async (t) => {
  const demo = await startFreshDemo(t, {
    KEELSON_LOG_LEVEL: 'info',
    KEELSON_OAUTH_RATE_MAX: '10000'
  })
  let text = ''
  demo.child.stderr?.on('data', (chunk: Buffer) => {
    text += chunk.toString()
  })
  const cookie = await signIn(demo.url)
  t.match(cookie, '=')
  const ask = (url: string, method = 'GET') =>
    fetch(`${demo.url}${url}`, { method, headers: { cookie }, redirect: 'manual' })
  const document = (await (await ask('/openapi.json')).json()) as Document
  const calls = addressesOf(document)
  t.ok(calls.length > 200, `${calls.length}`)

  const kept: string[] = []
  for (const { method, url, query, isPublic } of calls) {
    const answer = await ask(`${url}?${query}`, method)
    await answer.body?.cancel()
    if (isPublic) continue
    const said = ['cache-control', 'x-content-type-options'].map((name) => answer.headers.get(name))
    if (!said[0]?.includes('no-store') || said[1] !== 'nosniff')
      kept.push(`${method} ${url} ${said}`)
    if (method !== 'GET') continue
    const plain = await ask(url)
    await plain.body?.cancel()
    if (!plain.headers.get('cache-control')?.includes('no-store')) kept.push(`GET ${url}`)
  }
  t.same(kept, [])
  for (const url of PAGES) await (await ask(`${url}?request_id=${MARK}`)).body?.cancel()
  await ask('/health/live?last=1')
  await until('the last line', 10_000, async () => text.includes('/health/live') || undefined)
  t.ok(text.includes('"url":"/agent/contacts/by-email/:email"'), 'lines name the pattern')
  t.same(
    text.split('\n').filter((line) => line.includes(MARK)),
    []
  )
})
