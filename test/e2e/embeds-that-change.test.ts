// Pages in another admin UI that change things, by the cookie of the platform and by access tokens without any: a view,
// an alert, a template. In every engine that this machine has.
import { closeBrowser } from '@keelson/ui/testing'
import tap, { test } from 'tap'
import { openOAuthDemo, tokenOfPerson } from '../conformance/oauth-demo.ts'
import { chromiumEngine } from '../engines/chromium-engine.ts'
import type { EngineWindow } from '../engines/engine.ts'
import { firefoxEngine } from '../engines/firefox-engine.ts'
import { SIGN_IN, TOOLS } from '../engines/scripts.ts'
import { webkitEngine } from '../engines/webkit-engine.ts'
import { configWithTokens } from '../hosts/demo-config.ts'
import { sharedDemo, startFreshDemo, stopSharedDemo } from '../hosts/fresh-demo.ts'
import { startForeignAdmin } from './demo-in-browser.ts'

tap.teardown(closeBrowser)
tap.teardown(stopSharedDemo)

interface Change {
  readonly what: string
  readonly plugin: string
  readonly page: string
  readonly base: string
  /** The body of a script that makes the change by the controls of the page. */
  act(name: string): string
  /** Where the change is then, by the API. */
  readonly address: string
  /** Of the tokens that the page needs. */
  readonly resource: '/telemetry' | '/admin/mailer'
}

const CHANGES: readonly Change[] = [
  {
    what: 'Save view',
    plugin: 'telemetry-dashboard',
    page: 'events',
    base: '/telemetry',
    act: (name) => `
      ;(await see('button.btn', 'Views')).click()
      const field = await see('input[placeholder="Name of the view"]')
      type(field, '${name}')
      submit(field)
      await see('a', '${name}')`,
    address: '/telemetry/api/views',
    resource: '/telemetry'
  },
  {
    what: 'New alert',
    plugin: 'telemetry-dashboard',
    page: 'alerts',
    base: '/telemetry',
    act: (name) => `
      ;(await see('button.btn.primary', 'New rule')).click()
      const field = await see('#alert-name')
      type(field, '${name}')
      for (const amount of field.form.querySelectorAll('input[type=number]')) type(amount, '5')
      submit(field)
      await see('td', '${name}')`,
    address: '/telemetry/api/alerts',
    resource: '/telemetry'
  },
  {
    what: 'New template',
    plugin: 'mailer',
    page: 'templates',
    base: '/m',
    act: (name) => `
      ;(await see('a.btn.primary', 'New template')).click()
      const field = await see('input[name=name]')
      type(field, '${name}')
      const slug = field.form.elements.namedItem('slug')
      type(slug, '${name.toLowerCase()}')
      document.addEventListener('keelson-navigate', (event) => {
        event.preventDefault()
        document.body.dataset.went = event.detail.href
      })
      submit(field)
      await until(() => document.body.dataset.went, 'the way to the template')`,
    address: '/admin/mailer/api/templates',
    resource: '/admin/mailer'
  }
]

const documentOf = (url: string, { plugin, page, base }: Change, token?: string) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Shop admin</title>
<script type="module" src="${url}/embed/${plugin}/${page}.js"></script></head>
<body><${plugin}-${page} api-base="${url}${base}"></${plugin}-${page}>
${token === undefined ? '' : `<script>document.body.firstElementChild.getToken = async () => '${token}'</script>`}
</body></html>`

async function changeBy(window: EngineWindow, site: string, change: Change, name: string) {
  await window.goto(site)
  await window.run(`${TOOLS}${change.act(name)}`)
}

/** Tokens of an administrator, by resource. */
async function tokensOf(demo: { readonly url: string }) {
  const person = await openOAuthDemo(demo, 'admin@acme.test')
  const ask = (path: string, scopes: readonly string[]) =>
    tokenOfPerson(person, { resource: `${demo.url}${path}`, scopes })
  return {
    '/telemetry': await ask('/telemetry', ['telemetry:read', 'telemetry:write']),
    '/admin/mailer': await ask('/admin/mailer', ['mail:read', 'mail:write'])
  }
}

for (const engine of [chromiumEngine, firefoxEngine, webkitEngine]) {
  const options = engine.skip === undefined ? {} : { skip: engine.skip }
  test(`in ${engine.name}, embedded pages save views, alerts and templates`, options, async (t) => {
    const { url, origins } = await sharedDemo()
    const window = await engine.open(t)
    let shown = ''
    const site = await startForeignAdmin(t, () => shown, origins.at(-1))
    await window.goto(`${url}/login`)
    t.equal(await window.run(SIGN_IN), 200)
    for (const change of CHANGES) {
      const name = `By-${engine.name}`
      shown = documentOf(url, change)
      await changeBy(window, site, change, name)
      await window.goto(`${url}/login`)
      const read = `return (await fetch('${change.address}')).text()`
      t.match(await window.run(read), name, change.what)
    }
  })
  test(`in ${engine.name}, embedded pages change things by a token alone`, options, async (t) => {
    const origin = (await sharedDemo()).origins.at(-1) ?? ''
    const env = { KEELSON_CONFIG: await configWithTokens(), KEELSON_EMBED_ORIGINS: origin }
    const demo = await startFreshDemo(t, env)
    const tokens = await tokensOf(demo)
    const window = await engine.open(t)
    let shown = ''
    const site = await startForeignAdmin(t, () => shown, origin)
    for (const change of CHANGES) {
      const name = `Token-${engine.name}`
      const token = tokens[change.resource]
      shown = documentOf(demo.url, change, token)
      await changeBy(window, site, change, name)
      const headers = { authorization: `Bearer ${token}` }
      const read = await fetch(`${demo.url}${change.address}`, { headers })
      t.match(await read.text(), name, change.what)
    }
    const ask = `return (await fetch('${demo.url}/session', { credentials: 'include' })).status`
    t.equal(await window.run(ask), 401, 'no cookie of the platform is there')
  })
}
