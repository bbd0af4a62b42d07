// A plugin around the mailer, beside the stand-in: routes, gates, checks, ticks and recorded calls.
import { buffer } from 'node:stream/consumers'
import { defineErrors, definePlugin, type Host, Type } from '@keelson/sdk'
import {
  type AdminRoute,
  adminRoute,
  mailerAdminApi
} from '@keelson/sdk/contracts/mailer-admin-api'
import { mailerCore } from '@keelson/sdk/contracts/mailer-core'
import { mailerPublishGate } from '@keelson/sdk/contracts/mailer-publish-gate'
import { mailerSendGate } from '@keelson/sdk/contracts/mailer-send-gate'
import { mailerSetupCheck } from '@keelson/sdk/contracts/mailer-setup-check'
import { mailerTick } from '@keelson/sdk/contracts/mailer-tick'
import { type Test, test } from 'tap'
import { createMailerStandIn, createTestHost } from './index.ts'

const points = [mailerAdminApi, mailerPublishGate, mailerSendGate, mailerSetupCheck, mailerTick]
const admin = { tenantId: 'acme', role: 'admin', viewerRef: 'user:ada' }
const errors = defineErrors({
  SMP_TAKEN: { message: 'The name {name} is taken.', remedy: 'Choose another.', status: 409 }
})

/** A host with the stand-in and a plugin that contributes. */
async function open(t: Test, contribute: (host: Host) => void, mailer = createMailerStandIn()) {
  const plugin = definePlugin({
    manifest: {
      manifestVersion: 1,
      id: 'sample',
      name: 'Sample',
      version: '1.0.0',
      kernel: '^1.0.0',
      description: 'A sample.',
      license: 'MIT',
      uses: [mailerCore.id, ...points.map(({ id }) => id)]
    },
    register: contribute
  })
  const host = await createTestHost({ plugin, plugins: [mailer.plugin], viewer: admin })
  t.teardown(() => host.close())
  return { host, mailer }
}

/** Calls contributed routes. */
async function serve(t: Test, ...routes: AdminRoute[]) {
  const opened = await open(t, (host) => host.extend(mailerAdminApi, { name: 'sample', routes }))
  const call = async (method: 'GET' | 'POST' | 'PUT', path: string, payload?: string | object) => {
    const url = `/admin/mailer/api${path}`
    const headers = typeof payload === 'string' ? { 'content-type': FORM } : {}
    const answer = await opened.host.app.inject({
      method,
      url,
      headers,
      ...(payload !== undefined && { payload })
    })
    return { status: answer.statusCode, json: answer.json(), headers: answer.headers }
  }
  return { ...opened, call }
}

const FORM = 'multipart/form-data; boundary=x'
const form = (...files: string[]) =>
  `${files.map((text, at) => `--x\r\ncontent-disposition: form-data; name="file"; filename="${at}.xml"\r\n\r\n${text}\r\n`).join('')}--x--\r\n`

const rename = adminRoute({
  method: 'PUT',
  path: '/names/:name',
  summary: 'Renames',
  permission: 'publish',
  schema: {
    params: Type.Object({ name: Type.String() }),
    querystring: Type.Object({ limit: Type.Integer({ default: 5 }) }),
    body: Type.Object({ label: Type.String() }, { additionalProperties: false }),
    response: { 200: Type.Object({ ok: Type.Literal(true), limit: Type.Integer() }) }
  },
  async handler({ params: { name }, query: { limit }, body: { label }, audit }) {
    if (name === 'taken') throw errors.SMP_TAKEN({ name })
    await audit({
      action: 'name.change',
      resource: { collection: 'names', id: name },
      after: label
    })
    return { body: { ok: label !== 'wrong answer', limit } }
  }
})

test('a contributed route gets checked input and audits with the caller', async (t) => {
  const { call, mailer } = await serve(t, rename)
  const answer = await call('PUT', '/names/a%2Fb?limit=7', { label: 'x' })
  t.match([answer.status, answer.json], [200, { ok: true, limit: 7 }])
  t.match(mailer.callsOf('audit'), [
    [{ actor: 'human:user:ada', action: 'name.change', resource: { id: 'a/b' }, ip: '127.0.0.1' }]
  ])
})

test('what does not fit a schema is refused with its place, and JSON is not coerced', async (t) => {
  const { call, mailer } = await serve(t, rename)
  for (const body of [{ label: 5 }, { label: ['a'] }, {}, { label: 'x', more: 1 }]) {
    const { status, json } = await call('PUT', '/names/a', body)
    t.match([status, json.error, json.fields.length], [400, 'validation_failed', 1])
  }
  t.equal((await call('PUT', '/names/a?limit=x', { label: 'x' })).json.fields[0].path, 'limit')
  t.same(mailer.callsOf('audit'), [])
})

test('a permission that the caller does not have answers 403', async (t) => {
  const { call, mailer } = await serve(t, rename)
  mailer.permissions.delete('publish')
  const { status, json } = await call('PUT', '/names/a', { label: 'x' })
  t.match([status, json.error], [403, 'forbidden'])
})

test('errors of a table keep status and code, and an answer that breaks its schema fails', async (t) => {
  const { call } = await serve(t, rename)
  t.match(await call('PUT', '/names/taken', { label: 'x' }), {
    status: 409,
    json: { code: 'SMP_TAKEN' }
  })
  t.match(await call('PUT', '/names/a', { label: 'wrong answer' }), { status: 500 })
})

test('an unknown address or method answers 404, and only admins get in', async (t) => {
  const { call, host } = await serve(t, rename)
  t.match(await call('GET', '/names/a'), { status: 404, json: { error: 'not_found' } })
  t.match(await call('GET', '/none'), { status: 404, json: { error: 'not_found' } })
  host.signIn({ ...admin, role: 'viewer' })
  t.match(await call('GET', '/none'), { status: 403 })
})

const upload = adminRoute({
  method: 'POST',
  path: '/files',
  summary: 'Takes files',
  permission: 'publish',
  upload: { maxFiles: 2, maxFileBytes: 10 },
  async handler({ files }) {
    const read: object[] = []
    for await (const { field, filename, content } of files()) {
      read.push({ field, filename, text: String(await buffer(content)) })
    }
    return { body: read }
  }
})

test('an upload gives its files one after the other', async (t) => {
  const { call } = await serve(t, upload)
  t.same((await call('POST', '/files', form('one', '0123456789'))).json, [
    { field: 'file', filename: '0.xml', text: 'one' },
    { field: 'file', filename: '1.xml', text: '0123456789' }
  ])
  t.same((await call('POST', '/files', {})).json, [], 'a body without a form has no files')
})

test('an upload over a limit answers 413, and a form elsewhere 415', async (t) => {
  const { call } = await serve(t, upload, rename)
  const rejected = { status: 413, json: { error: 'upload_rejected' } }
  t.match(await call('POST', '/files', form('0123456789a')), rejected)
  t.match(await call('POST', '/files', form('1', '2', '3')), rejected)
  t.match(await call('PUT', '/names/a', form('1')), { status: 415 })
})

test('two plugins cannot contribute one address, and a change needs a permission', async (t) => {
  const { permission: _, ...open } = rename
  const second = { ...rename, path: '/names/:other' }
  await t.rejects(serve(t, rename, second), { cause: { code: 'KRN_ADMIN_ROUTE_TAKEN' } })
  await t.rejects(serve(t, open), { cause: { code: 'KRN_ADMIN_ROUTE_PERMISSION' } })
})

test('gates are asked as the mailer asks them: by kind, batch first, and a throw holds', async (t) => {
  const { mailer } = await open(t, (host) => {
    host.extend(mailerSendGate, {
      name: 'batch',
      checkBatch: ({ count }) => (count > 1 ? { error: 'many', message: 'Too many.' } : null)
    })
    host.extend(mailerSendGate, {
      name: 'each',
      check({ subject }) {
        if (subject === 'bad') throw new Error('broken')
        return null
      }
    })
    host.extend(mailerPublishGate, {
      name: 'publish',
      check: ({ html }) => (html === '' ? { error: 'empty', message: 'Empty.' } : null),
      report: () => ({ checked: true })
    })
  })
  t.equal(await mailer.askSendGates(), null)
  t.match(await mailer.askSendGates({}, 2), { gate: 'batch', error: 'many' })
  t.match(await mailer.askSendGates({ subject: 'bad' }), { gate: 'each', error: 'gate_failed' })
  t.equal(await mailer.askSendGates({ subject: 'bad', kind: 'transactional' }), null)
  t.match(await mailer.askPublishGates(), { error: 'empty' })
  t.equal(await mailer.askPublishGates({ html: '<p>x</p>' }), null)
  t.same(await mailer.publishReport(), { checked: true })
})

test('a tick runs what is due, outcomes are handed out once, and a failed check shows', async (t) => {
  const seen: string[] = []
  let cursor: string | undefined
  const { host, mailer } = await open(t, (plugin) => {
    plugin.extend(mailerTick, {
      name: 'read',
      async run({ mailer: core }) {
        const page = await core.outcomes(cursor === undefined ? {} : { after: cursor })
        cursor = page.cursor
        seen.push(...page.items.map(({ sendId }) => sendId))
      }
    })
    plugin.extend(mailerTick, {
      name: 'slow',
      everySeconds: 60,
      run: () => void seen.push('slow')
    })
    plugin.extend(mailerSetupCheck, {
      name: 'broken',
      label: 'Broken',
      run: () => Promise.reject(new Error('no answer'))
    })
  })
  mailer.outcomes.push({ sendId: 's1' } as never)
  await mailer.tick()
  mailer.outcomes.push({ sendId: 's2' } as never)
  await mailer.tick()
  t.same(seen.sort(), ['s1', 's2', 'slow'])
  await host.clock.advance(60_000)
  await mailer.tick()
  t.equal(seen.filter((each) => each === 'slow').length, 2)
  t.match(await mailer.readSetup(), [{ name: 'broken', severity: 'error', message: 'no answer' }])
})
