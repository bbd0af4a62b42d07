// Flows over the admin API: versions, copies, comparisons, counts of runs, simulations.
import { test } from 'tap'
import { openAdmin } from '../test/open-admin.ts'

const flow = { slug: 'welcome', name: 'Welcome', trigger: { eventName: 'opened' } }
const wait = { type: 'wait', value: 1, unit: 'days' }
const exit = { type: 'exit', reason: 'done' }
type Open = Awaited<ReturnType<typeof openAdmin>>

async function publish({ call }: Pick<Open, 'call'>, steps: readonly object[]) {
  await call('PATCH', '/flows/welcome/draft', { steps })
  return call('POST', '/flows/welcome/publish', {})
}

test('a version of a flow is read, compared and published again', async (t) => {
  const admin = await openAdmin(t)
  const { call } = admin
  await call('POST', '/flows', flow)
  t.equal((await publish(admin, [wait])).status, 200)
  t.equal((await publish(admin, [wait, exit])).status, 200)
  t.match((await call('GET', '/flows/welcome/versions/1')).body, { version: 1, steps: [wait] })
  t.equal((await call('GET', '/flows/welcome/versions/3')).status, 404)
  await call('PATCH', '/flows/welcome/draft', { steps: [exit] })
  const { body } = await call('GET', '/flows/welcome/diff?from=1&to=2')
  t.match(body.changes, [{ field: 'steps', hunks: [{ lines: Array }] }])
  t.ok(body.changes[0].hunks[0].lines.includes('+    "type": "exit",'))
  t.match((await call('GET', '/flows/welcome/diff')).body, { changes: [{ field: 'steps' }] })
  t.same((await call('GET', '/flows/welcome/diff?from=2&to=published')).body, { changes: [] })
  t.equal((await call('GET', '/flows/welcome/diff?from=9')).status, 404)
  t.match((await call('GET', '/flows/welcome/diff?from=none')).body, {
    error: 'validation_failed'
  })
  const back = await call('POST', '/flows/welcome/rollback', { version: 1 })
  t.match(back, { status: 200, body: { version: 3, steps: [wait], draft: { steps: [exit] } } })
  t.match(await call('POST', '/flows/welcome/rollback', { version: 9 }), {
    status: 404,
    body: { error: 'version_not_found' }
  })
  t.match((await call('GET', '/audit?action=flow.rollback')).body, [
    { before: { version: 2 }, after: { version: 3 } }
  ])
})

test('a copy of a flow is a disabled draft with the same steps; a flow that never ran is deleted', async (t) => {
  const admin = await openAdmin(t)
  const { call } = admin
  await call('POST', '/flows', { ...flow, description: 'Says hello.' })
  await publish(admin, [wait])
  const copy = await call('POST', '/flows/welcome/duplicate', { slug: 'second' })
  const drafted = { enabled: false, version: 0, draft: { steps: [wait] } }
  t.match(copy.body, { name: 'Welcome (copy)', description: 'Says hello.', ...drafted })
  t.equal(copy.status, 201)
  t.match(await call('POST', '/flows/welcome/duplicate', { slug: 'second' }), {
    status: 409,
    body: { error: 'slug_taken' }
  })
  t.equal((await call('POST', '/flows/none/duplicate', { slug: 'third' })).status, 404)
  t.equal((await call('DELETE', '/flows/second')).status, 200)
  t.equal((await call('GET', '/flows/second')).status, 404)
})

test('runs are counted by step, and listed at a step', async (t) => {
  const admin = await openAdmin(t)
  const { call, mailer, drain } = admin
  await mailer.registerEvent({ name: 'opened', dedupePolicy: 'every-time' })
  await mailer.upsertSubscription({ externalId: 'c1', source: 'test' })
  await call('POST', '/flows', flow)
  await publish(admin, [wait, wait])
  for (let at = 0; at < 3; at++) await mailer.fire('opened', 'c1', { at })
  await drain()
  const [first, second] = (await call('GET', '/flows/welcome/runs?step=0')).body
  await call('POST', `/runs/${first._id}/skip`)
  await call('POST', `/runs/${second._id}/stop`)
  await drain()
  const step = { active: 1, completed: 0, failed: 0 }
  t.same((await call('GET', '/flows/welcome/counts')).body, {
    version: 1,
    totals: { active: 2, completed: 0, exited: 1, failed: 0 },
    steps: [
      { path: '0', ...step, exited: 1 },
      { path: '1', ...step, exited: 0 }
    ],
    activeVersions: [{ version: 1, active: 2 }],
    notEntered: []
  })
  const refused = (query: string) => call('GET', `/flows/welcome/not-entered${query}`)
  t.same((await refused('?reason=unsubscribed')).body, [])
  t.equal((await refused('')).status, 400)
  const [run] = (await call('GET', '/flows/welcome/runs?step=1')).body
  t.match(run, { _id: first._id, path: '1' })
  t.same(
    Object.keys(run).sort(),
    [
      ...['_id', 'emailAtEntry', 'enteredAt', 'externalId', 'flowSlug', 'flowVersion', 'history'],
      ...['nextActionAt', 'path', 'status', 'triggerEvent', 'waitSince']
    ],
    'what the queue keeps about a run is not in the answer'
  )
  t.same((await call('GET', '/flows/welcome/runs?step=1&version=7')).body, [])
  t.match((await call('GET', '/flows/welcome/counts?version=7')).body, { version: 7, steps: [] })
  t.equal((await call('GET', '/flows/none/counts')).status, 404)
})

test('a contact is led through the draft, a version or unsaved steps, and nothing is written', async (t) => {
  const admin = await openAdmin(t)
  const { call, mailer } = admin
  await call('POST', '/flows', flow)
  await publish(admin, [exit])
  await call('PATCH', '/flows/welcome/draft', { steps: [wait, exit] })
  const simulate = (more: object = {}) =>
    call('POST', '/flows/welcome/simulate', { contactId: 'c1', ...more })
  t.match((await simulate()).body, { reasons: [/not subscribed/], terminal: { kind: 'exited' } })
  await mailer.upsertSubscription({ externalId: 'c1', source: 'test' })
  const drafted = await simulate()
  t.match(drafted.body.path, [
    { stepIndex: 0, type: 'wait', outcome: 'waited' },
    { stepIndex: 1, type: 'exit', outcome: 'exited' }
  ])
  t.match(drafted.body, { terminal: { kind: 'exited', reason: 'done' }, reasons: [] })
  t.equal((await simulate({ version: 'published' })).body.path.length, 1)
  t.equal((await simulate({ version: 1 })).body.path.length, 1)
  const branch = { type: 'branch', test: { hasTag: 'vip' }, ifTrueSteps: [], ifFalseSteps: [exit] }
  t.match((await simulate({ steps: [branch] })).body.path, [
    { outcome: 'branch_false' },
    { stepIndex: 0, branchPath: 'false.0' }
  ])
  t.match(await simulate({ steps: [{ type: 'jump' }] }), {
    status: 422,
    body: { error: 'invalid_steps', faults: [{ message: String }] }
  })
  t.match(await simulate({ contactId: 'none' }), {
    status: 404,
    body: { error: 'contact_not_found' }
  })
  t.match(await simulate({ version: 9 }), { status: 404, body: { error: 'version_not_found' } })
  t.match(await simulate({ at: 'soon' }), { status: 400, body: { error: 'validation_failed' } })
  t.match((await call('GET', '/flows/welcome/counts')).body, { totals: { active: 0 } })
})

test('a list of flows counts steps in place of answering them, and storage stays out of a flow', async (t) => {
  const { call, mailer } = await openAdmin(t)
  await call('POST', '/flows', flow)
  const unfinished = { type: 'branch', ifTrueSteps: [wait, {}], ifFalseSteps: 5, arms: [null] }
  const steps = [unfinished, { type: 'split', arms: [{ steps: [wait, exit] }] }]
  t.equal((await call('PATCH', '/flows/welcome/draft', { steps })).status, 200)
  const of = 'opened'
  await mailer.collections.flows.updateOne(
    { slug: 'welcome' },
    { $set: { triggerScan: { of, number: 1, isDone: true, isBaseline: false } } }
  )
  const [line] = (await call('GET', '/flows')).body
  t.match(line, { slug: 'welcome', hasDraft: true, stepCount: 5, revision: 1 })
  t.notOk('steps' in line || 'draft' in line)
  const { body } = await call('GET', '/flows/welcome')
  t.match(body, { revision: 1, steps: [], draft: { steps } })
  t.notOk('_id' in body || 'triggerScan' in body)
  t.match((await call('GET', '/flows?limit=x')).body, { fields: [{ path: 'limit' }] })
})

test('a body that a flow does not take is refused by the name of its field', async (t) => {
  const { call } = await openAdmin(t)
  await call('POST', '/flows', flow)
  for (const [path, body, field] of [
    ['/flows', { ...flow, slug: 5 }, 'slug'],
    ['/flows/welcome/publish', { enable: 'no' }, 'enable'],
    ['/flows/welcome/publish', { enabled: false }, 'enabled'],
    ['/flows/welcome/duplicate', {}, 'slug'],
    ['/flows/welcome/rollback', { version: '1' }, 'version'],
    ['/runs/one/stop', { reason: 5 }, 'reason']
  ] as const) {
    const fields = [{ path: field }]
    const refused = { status: 400, body: { error: 'validation_failed', fields } }
    t.match(await call('POST', path, body), refused, `${path} ${field}`)
  }
})
