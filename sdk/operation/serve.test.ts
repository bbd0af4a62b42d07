// Operations over HTTP: what goes in, what comes out, and how a call is refused.
import Fastify from 'fastify'
import { test } from 'tap'
import { sdkErrors } from '../define-plugin.ts'
import { Type } from '../typebox.ts'
import type { Actor } from './actor.ts'
import { answered } from './answered.ts'
import { operation } from './define-operation.ts'
import { bindOperations, type Call, type Operation } from './operation.ts'
import { defineRefusals } from './refusals.ts'
import { operationRoutes, type ServeOptions } from './serve.ts'

const refusals = defineRefusals({
  not_found: { status: 404, message: 'It was not found.', fix: 'Use another id.' },
  taken: { status: 409, message: 'It is taken.', fix: 'Choose another.' }
})

interface Notes {
  readonly rows: Map<string, { readonly text: string; readonly lane: string }>
}

const actor: Actor = {
  tenantId: 'acme',
  viewerRef: 'user:1',
  name: 'human:a@b.test',
  via: 'session'
}
const params = Type.Object({ id: Type.String({ maxLength: 8 }) })
const access = { auth: 'admin' } as const
const note = Type.Object({ id: Type.String(), text: Type.String() })

const read = operation({
  id: 'notes.notes.read',
  method: 'GET',
  path: '/notes/:id',
  summary: 'A note',
  access,
  effect: 'read',
  params,
  answer: note,
  errors: refusals.only('not_found'),
  run({ params }, { host }: Call<Notes>) {
    const row = host.rows.get(params.id)
    if (row === undefined)
      return refusals.refuse('not_found', { retryAfterSeconds: 60, more: { id: params.id } })
    return answered({ id: params.id, ...row }, { revision: 3, nextCursor: 'c' })
  }
})

const list = operation({
  id: 'notes.notes.list',
  method: 'GET',
  path: '/notes',
  summary: 'Notes',
  access,
  effect: 'read',
  query: Type.Object({
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: 20 })),
    isOpen: Type.Optional(Type.Boolean()),
    tag: Type.Optional(Type.Array(Type.String()))
  }),
  answer: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
  run: async ({ query }, { actor }: Call<Notes>) => ({ ...query, name: actor.name })
})

const make = operation({
  id: 'notes.notes.make',
  method: 'POST',
  path: '/notes',
  summary: 'Makes a note',
  access,
  effect: 'change',
  body: Type.Object(
    {
      text: Type.String({ minLength: 1 }),
      stars: Type.Integer(),
      kind: Type.Union([Type.Literal('a'), Type.Literal('b')], { default: 'a' }),
      parts: Type.Optional(Type.Array(Type.Object({ n: Type.Number() })))
    },
    { additionalProperties: false }
  ),
  status: 201,
  answer: Type.Object({ kind: Type.String() }),
  errors: refusals.only('taken'),
  run: ({ body }, { ifRevision }: Call<Notes>) =>
    body.text === 'taken' || ifRevision === 7 ? refusals.refuse('taken') : { kind: body.kind }
})

async function serving(
  operations: readonly Operation<Notes>[],
  options: Partial<ServeOptions> = {}
) {
  const app = Fastify()
  const host = { rows: new Map([['n1', { text: 'hello', lane: 'secret' }]]) }
  const optionsOf = ({ path: url }: Operation<never>) => ({
    url,
    closing: new AbortController().signal,
    actorOf: () => actor,
    may: () => true,
    ...options
  })
  await app.register(operationRoutes(bindOperations(operations, host), optionsOf))
  return app
}

test('an answer holds what its schema names, with status, revision and next page', async (t) => {
  const app = await serving([read, make])
  const answer = await app.inject('/notes/n1')
  t.same(answer.json(), { id: 'n1', text: 'hello' }, 'stored fields stay inside')
  t.match(answer.headers, { etag: '"3"', 'x-next-cursor': 'c', 'cache-control': 'no-store' })
  const made = await app.inject({ method: 'POST', url: '/notes', body: { text: 'x', stars: 1 } })
  t.equal(made.statusCode, 201)
  t.same(made.json(), { kind: 'a' }, 'defaults are filled in')
})

test('a refusal has the status, the sentence and the remedy of its row', async (t) => {
  const app = await serving([read, make])
  const missing = await app.inject('/notes/n2')
  t.equal(missing.statusCode, 404)
  t.same(missing.json(), {
    error: 'not_found',
    code: 'not_found',
    message: 'It was not found.',
    fix: 'Use another id.',
    retryAfterSeconds: 60,
    id: 'n2'
  })
  t.equal(missing.headers['retry-after'], '60')
  const headers = { 'if-match': '"7"' }
  const body = { text: 'x', stars: 1 }
  const taken = await app.inject({ method: 'POST', url: '/notes', headers, body })
  t.equal(taken.statusCode, 409)
})

test('every wrong field is named, and JSON is not coerced', async (t) => {
  const app = await serving([make])
  const fieldsOf = async (body: object) => {
    const answer = await app.inject({ method: 'POST', url: '/notes', body })
    t.equal(answer.statusCode, 400)
    t.equal(answer.json().error, 'validation_failed')
    return answer.json().fields.map(({ path }: { path: string }) => path)
  }
  t.same(await fieldsOf({ text: '', stars: '1', kind: 'c', parts: [{ n: 1 }, { n: 'x' }] }), [
    'text',
    'stars',
    'kind',
    'parts[1].n'
  ])
  t.same(await fieldsOf({ textt: 'x' }), ['text', 'stars', 'textt'])
  t.match(
    (await app.inject({ method: 'POST', url: '/notes', body: { textt: 'x' } })).json().fields[2],
    { message: /is unknown; did you mean text\?/ }
  )
})

test('a query is read by its schema, and what it does not know is refused by name', async (t) => {
  const app = await serving([list])
  const asked = (query: string) => app.inject(`/notes?${query}`)
  const known = await asked('isOpen=true&tag=a&tag=b')
  t.same(known.json(), { limit: 20, isOpen: true, tag: ['a', 'b'], name: actor.name })
  for (const wrong of ['limit=x', 'limit=0', 'limit=', 'limit=1&limit=2', 'isOpen=maybe']) {
    t.equal((await asked(wrong)).statusCode, 400, wrong)
  }
  t.match((await asked('limti=3')).json(), {
    fields: [{ path: 'limti', message: /did you mean limit/ }]
  })
})

test('an open query ignores what it does not know, and an empty parameter counts as absent', async (t) => {
  const closed = await serving([list])
  const open = await serving([list, read].map((each) => ({ ...each, openQuery: true as const })))
  const query = '/notes?isOpen=&limit=5&scope=all'
  t.equal((await closed.inject(query)).statusCode, 400)
  const answer = await open.inject(query)
  t.same(answer.json(), { limit: 5, scope: 'all', name: actor.name })
  t.equal((await open.inject('/notes/n1?scope=all')).statusCode, 200, 'without a schema, too')
  t.match((await open.inject('/notes?limit=many')).json(), {
    error: 'validation_failed',
    fields: [{ path: 'limit' }]
  })
})

test('a fault is answered in the sentence of its schema, and as the word where the row says so', async (t) => {
  const verbatim = defineRefusals({
    validation_failed: { status: 400, message: 'Wrong.', fix: 'Correct it.', isVerbatim: true }
  })
  const body = Type.Object(
    { spec: Type.Object({ name: Type.String(), size: Type.Optional(Type.Integer()) }) },
    { 'x-refusal': 'a note needs a spec' }
  )
  const answering = (errors: Operation<Notes>['errors']) => ({ ...make, body, errors })
  const asked = async (errors: Operation<Notes>['errors']) => {
    const app = await serving([answering(errors)])
    const payload = { spec: { size: 'x' } }
    return (await app.inject({ method: 'POST', url: '/notes', payload })).json()
  }
  const message = 'a note needs a spec'
  const fields = [{ path: 'spec.name' }, { path: 'spec.size' }]
  t.match(await asked({}), { error: 'validation_failed', message, fields })
  t.match(await asked(verbatim.table), {
    error: message,
    code: 'validation_failed',
    message,
    fix: 'Correct it.',
    fields
  })
})

test('a body that is too deep is refused before anything recurses over it', async (t) => {
  const app = await serving([make])
  const deep = `{"text":"x","stars":1,"parts":${'['.repeat(20_000)}${']'.repeat(20_000)}}`
  const headers = { 'content-type': 'application/json' }
  const answer = await app.inject({ method: 'POST', url: '/notes', headers, payload: deep })
  t.equal(answer.statusCode, 400)
  t.match(answer.json(), { error: 'validation_failed', fields: [{ path: 'body' }] })
})

test('a caller without the right learns nothing about the body', async (t) => {
  const refusal = () => ({ ok: false, code: 'forbidden' }) as const
  const app = await serving([make], { refusal })
  const answer = await app.inject({ method: 'POST', url: '/notes', body: { nonsense: 1 } })
  t.equal(answer.statusCode, 403)
  t.equal(answer.json().error, 'forbidden')
})

test('who serves operations refuses with words of its own, and gives the config of routes', async (t) => {
  const closed = { status: 403, message: 'It is closed.', fix: 'Come back later.' }
  const seen: unknown[] = []
  const app = await serving([make], {
    config: { mark: 7 },
    refusals: { closed },
    refusal(request) {
      seen.push((request.routeOptions.config as { mark?: number }).mark)
      return { ok: false, code: 'closed' }
    }
  })
  const answer = await app.inject({ method: 'POST', url: '/notes', body: {} })
  t.match([answer.statusCode, answer.json()], [403, { error: 'closed', fix: 'Come back later.' }])
  t.same(seen, [7])
})

test('an operation may take its input and its call apart', async (t) => {
  const apart = operation({
    id: 'notes.notes.apart',
    method: 'POST',
    path: '/apart',
    summary: 'Asks with functions of its input and its call',
    access,
    effect: 'read',
    answer: Type.Object({ isAllowed: Type.Boolean(), files: Type.Integer() }),
    async run({ files }, { may, progress }: Call<Notes>) {
      let count = 0
      for await (const _file of files()) count++
      progress(1, 1, 'done')
      return { isAllowed: await may('notes.read'), files: count }
    }
  })
  const app = await serving([apart])
  const answer = await app.inject({ method: 'POST', url: '/apart' })
  t.same(answer.json(), { isAllowed: true, files: 0 })
})

test('a refusal that the operation does not name is a fault of the server', async (t) => {
  const wild = operation({
    id: 'notes.notes.wild',
    method: 'GET',
    path: '/wild',
    summary: 'Refuses with a word of its own',
    access,
    effect: 'read',
    answer: note,
    run: (_input, _call: Call<Notes>) => ({ ok: false, code: 'odd' }) as never
  })
  const app = await serving([wild])
  const answer = await app.inject('/wild')
  t.equal(answer.statusCode, 500)
  t.match(sdkErrors.KRN_REFUSAL_UNDECLARED({ operation: wild.id, refusal: 'odd' }).message, /odd/)
})
