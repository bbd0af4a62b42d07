// JSON bodies of a scope that takes empty ones.
import Fastify from 'fastify'
import { test } from 'tap'
import { acceptEmptyJson } from './empty-json.ts'

async function send(t: { teardown(fn: () => unknown): void }, url: string, payload?: string) {
  const app = Fastify()
  t.teardown(() => app.close())
  const answer = async ({ body }: { body: unknown }) => ({ body: body ?? null })
  app.register(async (scope) => {
    acceptEmptyJson(scope)
    scope.delete('/taken', answer)
  })
  app.delete('/strict', answer)
  const { statusCode, body } = await app.inject({
    method: 'DELETE',
    url,
    headers: { 'content-type': 'application/json' },
    ...(payload !== undefined && { payload })
  })
  return [statusCode, JSON.parse(body).body]
}

test('an empty JSON body counts as none, in this scope alone', async (t) => {
  t.same(await send(t, '/taken'), [200, null])
  t.same(await send(t, '/strict'), [400, undefined])
})

test('other JSON bodies are parsed as before, and refused when they are invalid or poisoned', async (t) => {
  t.same(await send(t, '/taken', '{"a":[1]}'), [200, { a: [1] }])
  for (const payload of [
    '{"a":',
    ' ',
    '{"__proto__":{"a":1}}',
    '{"constructor":{"prototype":1}}'
  ]) {
    t.same(await send(t, '/taken', payload), [400, undefined], payload)
  }
})
