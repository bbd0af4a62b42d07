// Programs over the admin API: from draft to a run.
import type { MailerAdminOptions } from '@keelson/mailer'
import { type Test, test } from 'tap'
import { openPrograms } from './programs-bench.ts'

const contact = { externalId: 'c1', email: 'c1@example.test', tags: ['beta'], fields: { seats: 1 } }
const definition = {
  trigger: { eventName: 'account.opened' },
  actions: [
    {
      id: 'invite',
      templateSlug: 'notice',
      priority: 1,
      satisfied: { fact: 'seats', atLeast: 2 },
      attempts: { max: 2, gapDays: 7 }
    }
  ]
}

const open = (t: Test, admin?: MailerAdminOptions) =>
  openPrograms(t, { seedContacts: [contact], ...(admin && { admin }) })

test('a program goes from draft to a run, each refusal with its status', async (t) => {
  const { call, drain } = await open(t)
  const made = await call('POST', '/programs', { slug: 'grow', name: 'Grow' })
  t.match(made, { status: 201, body: { slug: 'grow', enabled: false, version: 0 } })
  t.match(await call('POST', '/programs', { slug: 'grow', name: 'Again' }), {
    status: 409,
    body: { error: 'slug_taken' }
  })
  t.match(await call('POST', '/programs/grow/enable'), { body: { error: 'not_published' } })
  t.equal((await call('PATCH', '/programs/grow', { draft: definition })).status, 200)
  t.match(await call('POST', '/programs/grow/publish'), {
    status: 422,
    body: { error: 'invalid_program', issues: [{ path: 'actions.invite.templateSlug' }] }
  })
  const template = { slug: 'notice', name: 'Notice', kind: 'transactional' }
  await call('POST', '/templates', template)
  await call('PATCH', '/templates/notice/draft', { subject: 'Hi', html: '<p>Hi</p>' })
  t.equal((await call('POST', '/templates/notice/publish')).status, 200)
  t.match(await call('POST', '/programs/grow/lint'), { status: 200, body: { issues: [] } })
  t.match(await call('POST', '/programs/grow/publish'), { body: { version: 1, draft: null } })
  t.match(await call('POST', '/programs/grow/enable'), { body: { enabled: true } })
  const entered = await call('POST', '/programs/grow/enter', { subjectId: 'c1' })
  t.equal(entered.status, 201)
  await drain()
  const { body: runs } = await call('GET', '/programs/grow/runs?status=active&arm=treatment')
  t.match(runs, [{ subjectId: 'c1', status: 'active', actions: { invite: { status: 'pending' } } }])
  for (const name of ['programId', 'state', 'dueAt', 'attempts', 'looks'])
    t.notOk(name in runs[0], `${name} is not in the answer`)
  t.same(Object.keys(runs[0].actions.invite), ['status'])
  for (const query of ['status=gone', 'arm=left', 'limit=0', 'cursor=x', 'subject=c1'])
    t.match(
      await call('GET', `/programs/grow/runs?${query}`),
      { status: 400, body: { error: 'validation_failed' } },
      query
    )
  const [line] = (await call('GET', '/programs')).body
  t.match(line, { slug: 'grow', hasDraft: false, actionCount: 1 })
  t.notOk('definition' in line)
  t.same((await call('GET', '/programs/grow/runs?arm=holdout')).body, [])
  t.match(await call('GET', `/programs/grow/runs/${entered.body.runId}`), {
    body: {
      run: { actions: { invite: { attempts: 0 } } },
      decisions: [{ kind: 'send', actionId: 'invite' }]
    }
  })
  t.match(await call('POST', `/programs/grow/runs/${entered.body.runId}/tick`), {
    body: { ok: true, runs: 1 }
  })
  await drain()
  t.match(await call('GET', '/programs/grow/stats'), {
    body: { arms: { treatment: { entered: 1, actions: { invite: { attempts: 1 } } } } }
  })
  t.match((await call('GET', '/programs')).body, [
    {
      slug: 'grow',
      results: { entered: 1, completed: 0, completedRate: 0, uplift: null, mails: 1 }
    }
  ])
  t.match(await call('GET', '/programs/none'), { status: 404, body: { error: 'not_found' } })
})

test('a simulation plays the draft through without a mail', async (t) => {
  const { call, provider } = await open(t)
  await call('POST', '/programs', { slug: 'grow', name: 'Grow', draft: definition })
  const changes = [{ day: 3, facts: { seats: 2 } }]
  const { status, body } = await call('POST', '/programs/grow/simulate', { days: 30, changes })
  t.equal(status, 200)
  t.match(body.decisions, [
    { kind: 'send', actionId: 'invite' },
    { kind: 'wait', reason: 'nothing_ready' },
    { kind: 'completed' }
  ])
  t.equal(provider.sent.length, 0)
  t.match(await call('POST', '/programs/grow/simulate', { days: 9999 }), {
    status: 400,
    body: { error: 'validation_failed', fields: [{ path: 'days' }] }
  })
})

test('who may not publish reads programs and drafts them, and is refused the rest', async (t) => {
  const { call } = await open(t, { permissions: () => ({}) })
  t.equal((await call('POST', '/programs', { slug: 'grow', name: 'Grow' })).status, 201)
  for (const path of ['publish', 'enable', 'disable', 'tick', 'enter', 'runs/x/abort'])
    t.equal((await call('POST', `/programs/grow/${path}`)).status, 403, path)
})
