// Calls to an API of versioned documents: what is sent, and what is made of the answers.
import { test } from 'tap'
import { documentsApiOf } from './documents-api.ts'
import { RequestError } from './elements/error/message.ts'
import type { KeelsonPage } from './keelson-page.ts'

/** A page that answers every call alike, and keeps what was asked. */
function pageWith({ value, headers = {} }: { value: unknown; headers?: Record<string, string> }) {
  const asked: { readonly path: string; readonly init: object }[] = []
  const answer = async (url: URL, init: object) => {
    asked.push({ path: `${url.pathname}${url.search}`, init })
    if (value instanceof Error) throw value
    return { response: new Response(null, { headers }), value }
  }
  const page = {
    page: { at: (path: string) => new URL(path, 'https://host.test') },
    answer,
    json: async (url: URL, init: object) => (await answer(url, init)).value
  }
  return { api: documentsApiOf(page as unknown as KeelsonPage, '/admin/api'), asked }
}

for (const status of [400, 404]) {
  test(`a document at an address that answers ${status} is none`, async (t) => {
    const { api } = pageWith({ value: new RequestError(status, {}) })
    t.equal(await api.find('/notes/x'), null)
  })
}

test('another refusal of a document is thrown', async (t) => {
  const { api } = pageWith({ value: new RequestError(500, {}) })
  await t.rejects(api.find('/notes/x'), RequestError)
})

test('a list is read in pages by its filters and the cursor in the header', async (t) => {
  const { api, asked } = pageWith({ value: [1, 2], headers: { 'x-next-cursor': 'c2' } })
  const read = api.pages('/notes')
  const page = await read(
    { state: 'open' },
    { cursor: 'c1', rows: [] },
    new AbortController().signal
  )
  t.same(page, { items: [1, 2], nextCursor: 'c2' })
  t.same(
    asked.map(({ path }) => path),
    ['/admin/api/notes?limit=50&state=open&cursor=c1']
  )
})

test('an answer that is not a list is an error', async (t) => {
  const { api } = pageWith({ value: { items: [] } })
  await t.rejects(api.list('/notes'), RequestError)
})

test('a draft is saved for its revision, and answers the next', async (t) => {
  const { api, asked } = pageWith({ value: { title: 'b' }, headers: { etag: 'W/"8"' } })
  const saved = await api.revise('/notes/1/draft', { title: 'b' }, { revision: 7, keepalive: true })
  t.same(saved, { body: { title: 'b' }, revision: 8 })
  t.match(asked[0]?.init, {
    method: 'PATCH',
    json: { title: 'b' },
    keepalive: true,
    headers: { 'if-match': '"7"' }
  })
})

test('a change without a revision asks for none', async (t) => {
  const { api, asked } = pageWith({ value: {} })
  await api.edit('PUT', '/notes/1', { title: 'c' }, undefined)
  t.same(asked[0]?.init, { method: 'PUT', json: { title: 'c' } })
})
