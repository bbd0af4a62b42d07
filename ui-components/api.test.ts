// Calls of a page: what is sent, and what a failed change does.
import { test } from 'tap'
import { apiOf } from './api.ts'
import { RequestError } from './elements/error/message.ts'
import { FakePage } from './test/fake-page.ts'

test('reads and changes are sent as the page sends JSON', async (t) => {
  const page = new FakePage()
  page.answer = async () => ({ ok: true })
  const api = apiOf(page.page)
  const { signal } = new AbortController()
  t.same(await api.read('/api/a'), { ok: true })
  await api.read('/api/a', signal)
  await api.act('DELETE', '/api/a')
  await api.act('POST', '/api/a', { name: 'x' })
  t.same(
    page.requests.map(({ init }) => init),
    [{}, { signal }, { method: 'DELETE' }, { method: 'POST', json: { name: 'x' } }]
  )
})

test('a change that fails is a toast in the words of the server', async (t) => {
  const page = new FakePage()
  const api = apiOf(page.page)
  t.equal(await api.attempt(async () => 'done'), true)
  const refused = new RequestError(409, { error: 'taken', message: 'The name is taken.' })
  t.equal(await api.attempt(() => Promise.reject(refused)), false)
  t.same(page.toasts, ['The name is taken.'])
  t.equal(api.words(refused), 'The name is taken.')
})
