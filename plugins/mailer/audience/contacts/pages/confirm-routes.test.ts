// Confirmation links over HTTP: only the post confirms.
import { type Test, test } from 'tap'
import { upsertSubscription } from '../../../consent/subscribe.ts'
import { publicApp } from '../../../test/public-app.ts'
import { testContext } from '../../../test/test-context.ts'
import { signConfirmation } from '../unsubscribe-token.ts'

const DAY = 86_400_000

async function open(t: Test) {
  const kit = await testContext(t, {
    contacts: [{ externalId: 'ann', email: 'ann@example.test', tags: [], fields: {} }],
    config: { requireDoubleOptIn: true },
    core: { fireFromSession: async () => undefined }
  })
  const { context } = kit
  await upsertSubscription(context, { externalId: 'ann', source: 'form' })
  const mail = await context.collections.sends.findOne({})
  const path = new URL(String(mail?.vars?.['confirmDoiUrl'])).pathname
  const app = await publicApp(t, context)
  const row = () => context.collections.subscriptions.findOne({ externalId: 'ann' })
  return { ...kit, app, path, row }
}

test('the page asks and changes nothing, the post confirms with its origin', async (t) => {
  const { app, path, row } = await open(t)
  for (let round = 0; round < 3; round++) {
    const page = await app.inject(path)
    t.equal(page.statusCode, 200)
    t.match(page.payload, /<form method="post"><button>Confirm/)
  }
  t.equal((await row())?.status, 'pending_doi')
  const headers = { 'user-agent': `Mail/1 ${'x'.repeat(400)}` }
  const answer = await app.inject({ method: 'POST', url: path, headers })
  t.equal(answer.statusCode, 200)
  t.match(await row(), { status: 'subscribed', doiIp: '127.0.0.1' })
  t.equal((await row())?.doiUserAgent?.length, 256)
})

test('a confirmed link says so, by page and by post', async (t) => {
  const { app, path } = await open(t)
  await app.inject({ method: 'POST', url: path })
  for (const method of ['GET', 'POST'] as const) {
    const answer = await app.inject({ method, url: path })
    t.equal(answer.statusCode, 200)
    t.match(answer.payload, /already confirmed/)
  }
})

test('an expired link and forged ones answer 400 alike', async (t) => {
  const { app, path, row, pass } = await open(t)
  pass(8 * DAY)
  const forged = signConfirmation(
    'ann',
    new Date(Date.now() + 90 * DAY),
    'another secret altogether'
  )
  const paths = [path, `/m/confirm-doi/${forged}`, '/m/confirm-doi/x', '/m/confirm-doi/']
  const bodies = new Set<string>()
  for (const url of paths) {
    for (const method of ['GET', 'POST'] as const) {
      const answer = await app.inject({ method, url })
      t.equal(answer.statusCode, 400, url)
      bodies.add(answer.payload)
    }
  }
  t.equal(bodies.size, 1)
  t.equal((await row())?.status, 'pending_doi')
})
