// A plugin around the mailer, beside the stand-in: operations, gates, checks, ticks and recorded calls.
import {
  bindOperations,
  type Call,
  definePlugin,
  type Host,
  type Operation,
  operation,
  Type,
  withOperations
} from '@keelson/sdk'
import { createTestHost } from '@keelson/sdk/testing'
import { type Test, test } from 'tap'
import {
  adminAccess,
  MAILER_ADMIN_API,
  type MailerCore,
  mailerAdminApi,
  mailerCore,
  mailerPublishGate,
  mailerSendGate,
  mailerSetupCheck,
  mailerTick
} from '../contracts/index.ts'
import { createMailerStandIn } from './mailer-stand-in.ts'

const points = [mailerAdminApi, mailerPublishGate, mailerSendGate, mailerSetupCheck, mailerTick]
const admin = { tenantId: 'acme', role: 'admin', viewerRef: 'user:ada' }

/** A host with the stand-in and a plugin that contributes. */
async function open(
  t: Test,
  contribute: (host: Host) => void,
  { operations = [] }: { readonly operations?: readonly Operation<never>[] } = {}
) {
  const mailer = createMailerStandIn()
  const plugin = definePlugin({
    manifest: {
      manifestVersion: 1,
      id: 'sample',
      name: 'Sample',
      version: '1.0.0',
      kernel: '^1.0.0',
      description: 'A sample.',
      license: 'MIT',
      uses: [mailerCore.id, ...points.map(({ id }) => id)],
      routes: [...withOperations([], operations)]
    },
    config: Type.Object({ adminTenants: Type.Array(Type.String(), { default: ['acme'] }) }),
    operations,
    register: contribute
  })
  const host = await createTestHost({ plugin, plugins: [mailer.plugin], viewer: admin })
  t.teardown(() => host.close())
  return { host, mailer }
}

interface Names {
  mailer(): MailerCore
}

const rename = operation({
  id: 'sample.names.change',
  method: 'PUT',
  base: MAILER_ADMIN_API,
  path: '/names/:name',
  summary: 'Renames',
  access: adminAccess.publish,
  effect: 'change',
  params: Type.Object({ name: Type.String() }),
  body: Type.Object({ label: Type.String() }, { additionalProperties: false }),
  answer: Type.Object({ ok: Type.Literal(true) }),
  async run({ params: { name: id }, body: { label: after } }, { host, actor }: Call<Names>) {
    const resource = { collection: 'names', id }
    await host.mailer().as(actor).audit({ action: 'name.change', resource, after })
    return { ok: true as const }
  }
})

/** Calls the contributed operation. */
async function serve(t: Test) {
  const contribute = (host: Host) => {
    const services = { mailer: () => host.use(mailerCore) }
    host.serve([rename], services)
    const operations = bindOperations([rename], services)
    host.extend(mailerAdminApi, { name: 'sample', operations })
  }
  const opened = await open(t, contribute, { operations: [rename] })
  const call = async (payload: object = { label: 'x' }) => {
    const url = '/admin/mailer/api/names/a%2Fb'
    const answer = await opened.host.app.inject({ method: 'PUT', url, payload })
    return { status: answer.statusCode, json: answer.json() }
  }
  return { ...opened, call }
}

test('a contributed operation gets checked input and audits with the caller', async (t) => {
  const { call, mailer } = await serve(t)
  t.match(await call(), { status: 200, json: { ok: true } })
  t.match(mailer.callsOf('audit'), [
    [{ actor: 'human:user:ada', action: 'name.change', resource: { id: 'a/b' }, ip: '127.0.0.1' }]
  ])
  t.match(await call({ label: 5 }), { status: 400, json: { error: 'validation_failed' } })
})

test('a permission that the caller does not have answers 403, and only admins get in', async (t) => {
  const { call, host, mailer } = await serve(t)
  mailer.permissions.delete('publish')
  t.match(await call(), { status: 403, json: { error: 'forbidden' } })
  mailer.permissions.add('publish')
  for (const viewer of [
    { ...admin, role: 'viewer' },
    { ...admin, tenantId: 'globex' }
  ]) {
    host.signIn(viewer)
    t.match(await call(), { status: 403 })
  }
  t.same(mailer.callsOf('audit'), [])
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
