// Operations without HTTP: the same faults, the same refusals, the same fields as by their routes.
import { test } from 'tap'
import { Type } from '../typebox.ts'
import { answered } from './answered.ts'
import { callOperation, runOperation } from './call-operation.ts'
import { operation } from './define-operation.ts'
import type { Call } from './operation.ts'
import { defineRefusals } from './refusals.ts'

interface Notes {
  readonly rows: ReadonlyMap<string, { readonly text: string; readonly lane: string }>
}

const refusals = defineRefusals({
  not_found: { status: 404, message: 'It was not found.', fix: 'Use another id.' },
  bad_id: { status: 400, message: 'The id is invalid.', fix: 'Use another id.' }
})

const read = operation({
  id: 'notes.notes.read',
  method: 'POST',
  path: '/notes/:id',
  summary: 'A note',
  access: { auth: 'machine' },
  effect: 'read',
  params: Type.Object({ id: Type.String({ maxLength: 4 }) }),
  query: Type.Object({ limit: Type.Optional(Type.Integer({ default: 20 })) }),
  body: Type.Object({ tags: Type.Optional(Type.Array(Type.Unknown())) }),
  status: [200, 201],
  answer: Type.Object({
    text: Type.String(),
    at: Type.String({ format: 'date-time' }),
    limit: Type.Integer(),
    by: Type.Union([Type.Object({ name: Type.String() }), Type.Null()])
  }),
  errors: refusals.only('not_found', 'bad_id'),
  run({ params: { id }, query: { limit = 0 } }, { host, actor }: Call<Notes>) {
    const row = host.rows.get(id)
    if (id === 'boom') throw new Error('the disk is full')
    if (row === undefined) return refusals.refuse('not_found', { more: { id } })
    const { name } = actor
    const note = { ...row, at: new Date(0), limit, by: { name, lane: 'secret' } }
    return answered(note, { status: 201, nextCursor: 'c' })
  }
})

const host: Notes = { rows: new Map([['n1', { text: 'hello', lane: 'secret' }]]) }
const bound = { operation: read, host }
const call = { actor: { tenantId: '*', name: 'agent:a', via: 'token' } } as unknown as Call<unknown>

test('an answer has what its schema names, and its facts stand beside it', async (t) => {
  const found = await callOperation(bound, { params: { id: 'n1' } }, call)
  const body = { text: 'hello', at: '1970-01-01T00:00:00.000Z', limit: 20, by: { name: 'agent:a' } }
  t.same(found, { ok: true, status: 201, body, facts: { status: 201, nextCursor: 'c' } })
  t.match(await callOperation(bound, { params: { id: 'n1' }, query: { limit: '3' } }, call), {
    body: { limit: 3 }
  })
})

test('faults of the input are refused as over HTTP, before anything recurses', async (t) => {
  const faulty = (parts: object) => callOperation(bound, { params: { id: 'n1' }, ...parts }, call)
  t.match(await faulty({ params: { id: 'much-too-long' } }), {
    ok: false,
    status: 400,
    body: { error: 'bad_id', fields: [{ path: 'id' }] }
  })
  t.match(await faulty({ query: { limti: 1 } }), {
    status: 400,
    body: { error: 'validation_failed', fields: [{ path: 'limti', message: /limit/ }] }
  })
  const deep = JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`)
  t.match(await faulty({ body: { tags: deep } }), {
    status: 400,
    body: { error: 'validation_failed', fields: [{ path: 'body' }] }
  })
})

test('a refusal has the status and the remedy of its row, and a failure is thrown', async (t) => {
  t.same(await callOperation(bound, { params: { id: 'n2' } }, call), {
    ok: false,
    status: 404,
    body: {
      error: 'not_found',
      code: 'not_found',
      message: 'It was not found.',
      fix: 'Use another id.',
      id: 'n2'
    }
  })
  await t.rejects(callOperation(bound, { params: { id: 'boom' } }, call), /the disk is full/)
})

test('for an operation that answers by another one, a refusal is a value', async (t) => {
  t.same(await runOperation(bound, { params: { id: 'n2' } }, call), {
    ok: false,
    code: 'not_found',
    more: { id: 'n2' }
  })
  t.match(await runOperation(bound, { params: { id: 'much-too-long' } }, call), {
    ok: false,
    code: 'bad_id'
  })
})
