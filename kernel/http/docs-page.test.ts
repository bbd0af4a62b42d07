// The page at /docs, made from an OpenAPI document.
import { test } from 'tap'
import { readApi } from './api-operations.ts'
import { docsPage } from './docs-page.ts'

const at = { docs: '/docs', openapi: '/openapi.json' }
const host = { origin: 'https://a.example' }
const api = readApi({
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
})

test('operations stand under their plugin, in order', async (t) => {
  const html = docsPage(api, at, host)
  const headings = [...html.matchAll(/<h2>(.*?)<\/h2>/g)].map(([, name]) => name)
  t.same(headings, ['alpha', 'beta', 'kernel'])
  t.equal(html.match(/<details>/g)?.length, 4)
})

test('parameters, bodies and answers are shown', async (t) => {
  const html = docsPage(api, at, host)
  t.match(html, '<code>id</code></td><th>path, required</th>')
  t.match(html, '<code>body</code></td><th>application/json</th>')
  t.match(html, '<code>200</code></td><th>Fine</th>')
})

test('what comes from the document is escaped', async (t) => {
  const html = docsPage(api, at, host)
  t.notMatch(html, 'A <host>')
  t.match(html, 'A &lt;host&gt;')
  t.match(html, '&quot;q&quot;')
})

test('it has no script and nothing inline', async (t) => {
  const html = docsPage(api, at, host)
  t.notMatch(html, /<script|<style|\sstyle=|\son[a-z]+=/)
})

test('links follow the addresses of the config', async (t) => {
  const moved = docsPage(api, { docs: '/p/docs', openapi: '/p/openapi.json' }, host)
  t.match(moved, 'href="/p/docs/docs.css"')
  t.match(moved, 'href="/p/openapi.json"')
  t.notMatch(docsPage(api, { docs: '/docs', openapi: undefined }, host), 'For programs')
})

test('a search finds operations by path, method, summary and plugin', async (t) => {
  const paths = (search: string) =>
    [
      ...docsPage(api, at, { ...host, search: search }).matchAll(
        /<summary>.*?<code>(\/.*?)<\/code>/g
      )
    ].map(([, path]) => path)
  t.same(paths('THINGS post'), ['/beta/things'])
  t.same(paths('lists'), ['/beta/things'])
  t.same(paths('alpha'), ['/alpha/{id}'])
  t.equal(paths(' ').length, 4)
  const html = docsPage(api, at, { ...host, search: 'lists' })
  t.match(html, '1 of 4 operations')
  t.match(html, '<details open>')
  t.match(html, 'action="/docs"')
})

test('a search that finds nothing says so, and is escaped', async (t) => {
  const html = docsPage(api, at, { ...host, search: '"><script>' })
  t.match(html, 'No operations match your search.')
  t.match(html, 'value="&quot;&gt;&lt;script&gt;"')
  t.notMatch(html, '<script')
})

test('a browser asks for no icon that is not there', async (t) => {
  t.match(docsPage(api, at, host), '<link rel="icon" href="data:,">')
})

test('closed operations link to their example; an open one has it', async (t) => {
  const closed = docsPage(api, at, host)
  t.match(closed, '<a href="/docs?op=get+%2Falpha%2F%7Bid%7D">Try it</a>')
  t.match(closed, '<a href="/docs?op=delete+%2Fbare">Example</a>')
  t.notMatch(closed, 'curl')
  const opened = docsPage(api, at, { ...host, only: 'get /alpha/{id}' })
  t.match(opened, '1 of 4 operations <a href="/docs">Show all</a>')
  t.match(opened, '<form class="try" action="/docs/try"')
  t.match(opened, 'curl &#39;https://a.example/alpha/{id}&#39;')
  t.equal(opened.match(/<details open>/g)?.length, 1)
  t.notMatch(opened, /<script|<style|\sstyle=|\son[a-z]+=/)
  const changes = docsPage(api, at, { ...host, only: 'delete /bare' })
  t.notMatch(changes, 'class="try"')
  t.match(changes, '-X DELETE')
})
