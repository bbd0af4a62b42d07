// The page at /docs, made from an OpenAPI document.
import { test } from 'tap'
import { docsPage } from './docs-page.ts'

const at = { docs: '/docs', openapi: '/openapi.json' }
const document = {
  info: { title: 'A <host>', version: '1' },
  paths: {
    '/beta/things': {
      get: { summary: 'Lists', tags: ['beta'], responses: { '200': { description: 'Fine' } } },
      post: { tags: ['beta'], requestBody: {}, responses: { '400': {} } }
    },
    '/alpha/{id}': {
      get: {
        tags: ['alpha'],
        parameters: [
          { name: 'id', in: 'path', required: true },
          { name: '"q"', in: 'query' }
        ]
      },
      parameters: []
    },
    '/bare': { delete: {} }
  }
}

test('operations stand under their plugin, in order', async (t) => {
  const html = docsPage(document, at)
  const headings = [...html.matchAll(/<h2>(.*?)<\/h2>/g)].map(([, name]) => name)
  t.same(headings, ['alpha', 'beta', 'kernel'])
  t.equal(html.match(/<details>/g)?.length, 4)
})

test('parameters, bodies and answers are shown', async (t) => {
  const html = docsPage(document, at)
  t.match(html, '<code>id</code></td><th>path, required</th>')
  t.match(html, '<code>body</code></td><th>JSON</th>')
  t.match(html, '<code>200</code></td><th>Fine</th>')
})

test('what comes from the document is escaped', async (t) => {
  const html = docsPage(document, at)
  t.notMatch(html, 'A <host>')
  t.match(html, 'A &lt;host&gt;')
  t.match(html, '&quot;q&quot;')
})

test('it has no script and nothing inline', async (t) => {
  const html = docsPage(document, at)
  t.notMatch(html, /<script|<style|\sstyle=|\son[a-z]+=/)
})

test('links follow the addresses of the config', async (t) => {
  const moved = docsPage(document, { docs: '/p/docs', openapi: '/p/openapi.json' })
  t.match(moved, 'href="/p/docs/docs.css"')
  t.match(moved, 'href="/p/openapi.json"')
  t.notMatch(docsPage(document, { docs: '/docs', openapi: undefined }), 'For programs')
})
