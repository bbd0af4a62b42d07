// Every call of the demo, from an embedding site: its address answers the preflight that a browser sends first.
// Runs beside the others: it waits for much of its time.
import { test } from 'tap'
import { startFreshDemo } from '../hosts/fresh-demo.ts'

const SITE = 'https://admin.example.test'

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

test('each call of an embedded page passes its preflight', async (t) => {
  const { url } = await startFreshDemo(t, { KEELSON_EMBED_ORIGINS: SITE })
  const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as Document
  const calls = Object.entries(paths).flatMap(([path, at]) =>
    Object.keys(at).map((method) => [method.toUpperCase(), path.replace(/\{[^}]+\}|\*/g, 'x')])
  )
  t.ok(calls.length > 200, `${calls.length}`)
  const failed: string[] = []
  for (const [method = '', path] of calls) {
    const { status, headers } = await fetch(`${url}${path}`, {
      method: 'OPTIONS',
      headers: { origin: SITE, 'access-control-request-method': method }
    })
    const origin = headers.get('access-control-allow-origin') ?? ''
    const methods = headers.get('access-control-allow-methods') ?? ''
    // A policy of its own, which is for every origin, names fewer methods.
    const isLetIn = origin === '*' || (origin === SITE && methods.split(', ').includes(method))
    if (status !== 204 || !isLetIn)
      failed.push(`${method} ${path}: ${status}, ${origin}, ${methods}`)
  }
  t.same(failed, [])
})
