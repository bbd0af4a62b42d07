// The document of a shell and its policy.
import { createHash } from 'node:crypto'
import { test } from 'tap'
import type { UiManifest } from '../ui-manifest.ts'
import { documentTemplate, importMap } from './document.ts'
import { escapeHtml } from './html.ts'
import { contentPolicy } from './policy.ts'

const UI: UiManifest = {
  imports: { lit: 'lit.11111111.js' },
  shell: 'shell.22222222.js',
  preload: ['lit.11111111.js'],
  styles: 'document.33333333.css',
  icon: 'icon.44444444.svg'
}
const config = {
  mountPath: '/telemetry',
  apiBase: '/telemetry/api',
  title: 'Telemetry',
  view: 'shell',
  status: 200
} as const
const documentOf = (more: object = {}) =>
  documentTemplate(UI)({ locale: 'en', config: { ...config, ...more } })

test('the document has a base, a config blob and relative references', async (t) => {
  const html = documentOf()
  t.match(html, '<base href="/telemetry/">')
  const blob = /<script type="application\/json"[^>]*>([^<]*)<\/script>/.exec(html)?.[1] ?? ''
  t.same(JSON.parse(blob), config)
  for (const [, reference] of html.matchAll(/<(?:script|link)[^>]* (?:src|href)="([^"]+)"/g)) {
    t.match(reference, /^_assets\//)
  }
})

test('at the root the base is the root', async (t) => {
  for (const mountPath of ['', '/']) t.match(documentOf({ mountPath }), '<base href="/">')
})

test('nothing of the config can end its element or attribute', async (t) => {
  const html = documentOf({ title: '</script><script>alert(1)</script>"\'&' })
  t.notMatch(html, '<script>alert')
  t.match(html, '&lt;/script&gt;')
})

test('text in markup is only ever text', async (t) => {
  t.equal(
    escapeHtml(`<a href="x" title='y'>&</a>`),
    '&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;&lt;/a&gt;'
  )
})

test('the policy allows the import map by its hash and no other inline script', async (t) => {
  const map = importMap(UI)
  const hash = createHash('sha256').update(map).digest('base64')
  t.ok(documentOf().includes(`<script type="importmap">${map}</script>`))
  const policy = contentPolicy({ importMap: map })
  t.match(policy, `default-src 'self'; script-src 'self' 'sha256-${hash}';`)
  t.notMatch(policy, 'unsafe')
  t.match(policy, "frame-ancestors 'none'")
})

test('an API of another origin may be called, and nothing else of it', async (t) => {
  const policy = contentPolicy({ importMap: '{}', connect: 'https://api.example', frames: 'self' })
  t.match(policy, "connect-src 'self' https://api.example;")
  t.equal(policy.match(/api\.example/g)?.length, 1)
  t.match(policy, "frame-ancestors 'self'")
})
