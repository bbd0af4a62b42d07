// Reports of pages that failed: from a browser to /health/plugins.
import { pathToFileURL } from 'node:url'
import { type Test, test } from 'tap'
import { fakeHost, samplePlugin } from '../testing/fake-host.ts'
import { PAGE_ERROR_LIMIT } from './page-errors.ts'
import { registerShell } from './shell.ts'

const admin = 'acme:admin'
const HERE = { host: 'a.example', origin: 'http://a.example' }

async function open(t: Test) {
  const folder = t.testdir({ 'list.js': '', 'keys.js': '' })
  const page = (id: string, role: string) => ({
    id,
    element: `alpha-${id}`,
    module: `./${id}.js`,
    title: id,
    role
  })
  const pages = [page('list', 'viewer'), page('keys', 'admin')]
  const { call } = await fakeHost(t, {
    plugins: [samplePlugin('alpha', { pages }, { folder: pathToFileURL(`${folder}/`) })],
    seams: { registerShell }
  })
  const report = async (given: object | string, more: object = {}) => {
    const payload = typeof given === 'string' ? given : JSON.stringify(given)
    const headers = { ...HERE, 'content-type': 'text/plain;charset=UTF-8' }
    const url = '/shell/page-errors'
    return call({ method: 'POST', url, payload, headers, viewer: 'acme:viewer', ...more })
  }
  const alpha = async (viewer?: string) =>
    (await call({ url: '/health/plugins', ...(viewer && { viewer }) })).json.plugins[0]
  return { report, alpha }
}

const thrown = { plugin: 'alpha', page: 'list', kind: 'page', message: 'no ink' }

test('a page that fails is shown to admins and degrades its plugin', async (t) => {
  const { report, alpha } = await open(t)
  for (const each of [thrown, thrown, { ...thrown, kind: 'element', message: '' }]) {
    t.match(await report(each), { status: 204, text: '' })
  }
  await report({ ...thrown, kind: 'module', message: 'Unexpected token' })
  t.match(await alpha(admin), {
    state: 'degraded',
    pages: [
      { page: 'list', reason: 'no ink', count: 2, since: String, lastAt: String },
      { page: 'list', reason: 'Its module does not define the element alpha-list.', count: 1 },
      { page: 'list', reason: 'Its module could not be loaded: Unexpected token', count: 1 }
    ]
  })
  t.same(Object.keys(await alpha()).sort(), ['id', 'reason', 'remedy', 'state', 'version'])
})

test('a report from elsewhere, or without an origin, is refused', async (t) => {
  const { report, alpha } = await open(t)
  const foreign = { headers: { ...HERE, origin: 'http://b.example', 'content-type': 'text/plain' } }
  const none = { headers: { host: HERE.host, 'content-type': 'text/plain' } }
  for (const more of [foreign, none]) t.equal((await report(thrown, more)).status, 403)
  t.equal((await alpha(admin)).state, 'ready')
})

test('what is not a report, too large, or of a page that the viewer cannot open is refused', async (t) => {
  const { report, alpha } = await open(t)
  for (const wrong of ['', 'no JSON', '[]', { ...thrown, kind: 'other' }, { plugin: 'alpha' }]) {
    t.equal((await report(wrong)).status, 400, JSON.stringify(wrong))
  }
  t.equal((await report({ ...thrown, message: 'x'.repeat(5_000) })).status, 413)
  for (const hidden of [{ page: 'none' }, { plugin: 'beta' }, { page: 'keys' }]) {
    t.equal((await report({ ...thrown, ...hidden })).status, 404)
  }
  t.equal((await report(thrown, { viewer: undefined })).status, 404)
  t.equal((await report({ ...thrown, page: 'keys' }, { viewer: admin })).status, 204)
  t.match(await alpha(admin), { pages: [{ page: 'keys' }] })
})

test('one address may send so many reports in a minute', async (t) => {
  const { report } = await open(t)
  for (let at = 0; at < PAGE_ERROR_LIMIT.max; at++) await report(thrown)
  const refused = await report(thrown)
  t.equal(refused.status, 429)
  t.ok(Number(refused.headers['retry-after']) > 0)
})
