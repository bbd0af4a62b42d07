// Operations on a running host: declared and served the same, for whom they admit, in the documents.
import { defineRefusals, type Operation, operation, withOperations } from '@keelson/sdk'
import { Type } from '@keelson/sdk/typebox'
import type { FastifyReply } from 'fastify'
import { test } from 'tap'
import type { ShellOptions } from '../shell/page.ts'
import { fakeHost, samplePlugin } from '../testing/fake-host.ts'

const refusals = defineRefusals({
  not_found: { status: 404, message: 'It was not found.', fix: 'Use another id.' }
})
const note = Type.Object({ id: Type.String(), by: Type.String() }, { title: 'Note' })

const read = operation({
  id: 'alpha.notes.read',
  method: 'GET',
  path: '/notes/:id',
  longParam: true,
  summary: 'A note',
  access: { auth: 'viewer' },
  effect: 'read',
  params: Type.Object({ id: Type.String({ maxLength: 300 }) }),
  answer: note,
  errors: refusals.only('not_found'),
  run: ({ params: { id } }, { actor, host }) =>
    id === 'none' ? refusals.refuse('not_found') : { id, by: `${host.id} ${actor.name}` }
})

const publish = operation({
  id: 'alpha.notes.publish',
  method: 'POST',
  path: '/notes',
  base: '/admin/notes',
  summary: 'Publishes a note',
  access: { auth: 'admin', permission: 'alpha.publish', tenants: '${adminTenants}' },
  effect: 'release',
  body: Type.Object({ text: Type.String() }),
  status: 201,
  answer: Type.Array(note),
  run: ({ body: { text } }, { actor }) => [{ id: text, by: actor.tenantId }]
})

const who = operation({
  id: 'alpha.who.read',
  method: 'GET',
  path: '/who',
  summary: 'Who calls',
  access: { auth: 'public' },
  effect: 'read',
  answer: Type.Object({ by: Type.String(), role: Type.Union([Type.String(), Type.Null()]) }),
  run: (_input, { actor: { name: by, role = null } }) => ({ by, role })
})

const operations = [read, publish]

const plugin = (
  served: readonly Operation<never>[] = operations,
  routes = withOperations([], operations),
  declared: readonly Operation<never>[] = operations
) =>
  samplePlugin(
    'alpha',
    { routes: [...routes] },
    {
      config: Type.Object({ adminTenants: Type.Array(Type.String(), { default: ['acme'] }) }),
      operations: declared,
      register(host) {
        host.serve(served as readonly Operation<unknown>[], host)
        host.permissions(({ email }, permission) => permission === 'publish' && email !== 'no')
      }
    }
  )

test('an operation answers at its declared address, with who acts', async (t) => {
  const { call } = await fakeHost(t, { plugins: [plugin()] })
  const long = 'x'.repeat(200)
  const found = await call({ url: `/alpha/notes/${long}`, viewer: 'acme:viewer' })
  t.match(found, { status: 200, json: { id: long, by: /^alpha human:user:/ } })
  t.match(await call({ url: '/alpha/notes/none', viewer: 'acme:viewer' }), {
    status: 404,
    json: { error: 'not_found', fix: 'Use another id.' }
  })
  t.equal((await call({ url: '/alpha/notes/n1' })).status, 401)
})

test('a public operation knows who is signed in, and answers a caller who is not', async (t) => {
  const { call } = await fakeHost(t, {
    plugins: [plugin([who], withOperations([], [who]), [who])]
  })
  t.same((await call({ url: '/alpha/who', viewer: 'acme:admin' })).json.role, 'admin')
  t.same((await call({ url: '/alpha/who' })).json, { by: 'anonymous', role: null })
})

test('a permission and the tenants of an operation are asked before its body is looked at', async (t) => {
  const viewers = new Map(
    ['acme', 'globex', '*'].map((tenantId) => [tenantId, { tenantId, role: 'admin' }])
  )
  let shell: ShellOptions | undefined
  const registerShell = async (_scope: unknown, options: ShellOptions) => {
    shell = options
    return {
      placePages() {},
      notFound: (_request: unknown, reply: FastifyReply) => reply.code(404).send()
    }
  }
  const { call } = await fakeHost(t, {
    seams: { registerShell },
    plugins: [plugin()],
    resolveViewer: ({ headers }) => {
      const [tenant = '', email = ''] = String(headers['x-viewer'] ?? '').split(':')
      const viewer = viewers.get(tenant)
      return viewer && { ...viewer, email }
    }
  })
  const post = (viewer: string) =>
    call({ method: 'POST', url: '/admin/notes/notes', viewer, body: { text: 'a' } })
  t.match(await post('acme:yes'), { status: 201, json: [{ by: 'acme' }] })
  t.match(await post('*:yes'), { status: 201 })
  t.match(await post('globex:yes'), { status: 403, json: { error: 'forbidden' } })
  t.match(await post('acme:no'), { status: 403, json: { error: 'forbidden' } })
  const routes = await shell?.routesFor({ tenantId: 'acme', role: 'admin', email: 'no' })
  t.same(routes, ['alpha.notes.read'], 'pages know the same')
})

test('plugin.json and the code must name the same operations', async (t) => {
  const [entry, ...others] = withOperations([], operations)
  const changed = [{ ...entry, effect: 'change' } as never, ...others]
  await t.rejects(fakeHost(t, { plugins: [plugin(operations, changed)] }), {
    code: 'KRN_OPERATION_DRIFT',
    message: /routes\[0\]\.effect .*alpha\.notes\.read is "change" in plugin\.json and "read"/
  })
  await t.rejects(fakeHost(t, { plugins: [plugin(operations, others)] }), {
    code: 'KRN_OPERATION_DRIFT',
    message: /alpha\.notes\.read is missing in plugin\.json/
  })
})

test('an operation that is declared and not served ends the start, and so does a strange one', async (t) => {
  await t.rejects(fakeHost(t, { plugins: [plugin([read])] }), { code: 'KRN_ROUTE_MISSING' })
  const strange = { ...publish, id: 'alpha.notes.other' }
  await t.rejects(fakeHost(t, { plugins: [plugin([read, strange])] }), {
    code: 'KRN_OPERATION_ENTRY'
  })
})

test('a wildcard needs a reason, and no operation may be one', async (t) => {
  const route = { method: 'GET', path: '/a/*', auth: 'public', summary: 'Files' }
  for (const wrong of [route, { ...route, id: 'alpha.a.read', wildcard: 'Files.' }]) {
    const wild = samplePlugin('alpha', { routes: [wrong] })
    await t.rejects(fakeHost(t, { plugins: [wild] }), { code: 'KRN_ROUTE_WILDCARD' })
  }
})

test('the document names each operation once, with its refusals and shared schemas', async (t) => {
  const { call } = await fakeHost(t, { plugins: [plugin()] })
  const { json } = await call({ url: '/openapi.json' })
  const ref = { $ref: '#/components/schemas/Note' }
  t.match(json.paths['/alpha/notes/{id}'].get, {
    operationId: 'alpha.notes.read',
    security: [{ viewer: [] }],
    tags: ['alpha'],
    responses: {
      200: { content: { 'application/json': { schema: ref } } },
      404: { description: 'not_found: It was not found.' }
    }
  })
  t.match(json.paths['/admin/notes/notes'].post, {
    operationId: 'alpha.notes.publish',
    description: 'Permission: alpha.publish.',
    requestBody: {},
    responses: { 201: {}, 400: {}, 401: {}, 403: {} }
  })
  t.match(json.components.schemas, { Note: note, Error: { type: 'object' } })
})
