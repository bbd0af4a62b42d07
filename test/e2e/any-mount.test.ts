// Every page of the demo below a prefix, with each plugin at another mount: pages find their APIs and each other.
import { browserOptions, closeBrowser, LOOKS } from '@keelson/ui/testing'
import type { Response } from 'playwright-core'
import tap, { test } from 'tap'
import { changedConfig } from '../hosts/demo-config.ts'
import { startFreshDemo } from '../hosts/fresh-demo.ts'
import { drawn } from './demo-in-browser.ts'
import { everyPage } from './every-page.ts'

tap.teardown(closeBrowser)

const [look] = LOOKS
/** The demo itself has the sign-in, at the root; links of mails end in /m. */
const mountOf = (id: string): string =>
  id === 'demo' ? '/' : `/moved/to/${id}${id === 'mailer' ? '/m' : ''}`

const PREFIX = '/below/here'
/** The page of another plugin that the config of the mailer names. */
const JOURNEY = `${mountOf('telemetry-dashboard')}/journey`

const withJourney = (config: Readonly<Record<string, unknown>> = {}) => ({
  ...config,
  telemetry: { ...(config as { telemetry: object }).telemetry, journeyPath: JOURNEY }
})

/** The config of the demo with other mounts. */
const movedConfig = () =>
  changedConfig((id, plugin) => ({
    ...plugin,
    mount: mountOf(id),
    ...(id === 'mailer' && { config: withJourney(plugin.config) })
  }))

/** In the page: the addresses of its links to this origin, those in shadow trees too. */
const LINKS = `(() => {
  const deep = (root) =>
    [...root.querySelectorAll('*')].flatMap((one) => [one, ...(one.shadowRoot ? deep(one.shadowRoot) : [])])
  return deep(document)
    .filter((one) => one.matches('a[href]') && new URL(one.href).origin === location.origin)
    .map((one) => one.href)
})()`

/** Empty when the tab has gone on meanwhile. */
const textOf = (answer: Response): Promise<string> => answer.text().catch(() => '')

/** Links to rows of a list are one kind of link: their ids differ. */
function kindOf(href: string): string {
  const { pathname, searchParams } = new URL(href)
  return `${pathname.replace(/[^/]*\d[^/]*/g, '*')} ${[...searchParams.keys()]}`
}

test('every page and every link of a page leads somewhere below a prefix and at other mounts', {
  ...browserOptions,
  timeout: 300_000
}, async (t) => {
  const env = { KEELSON_CONFIG: await movedConfig(), KEELSON_PREFIX: PREFIX }
  const demo = await startFreshDemo(t, env)
  const missing: Promise<string>[] = []
  const moved = new Set<string>()
  const followed = new Set<string>()
  const paths = await everyPage(t, demo, {
    look,
    api: 'slow',
    onAnswer(answer) {
      const { pathname } = new URL(answer.url())
      if (answer.status() === 404)
        missing.push(textOf(answer).then((said) => `${pathname} ${said}`))
      if (answer.ok() && pathname.startsWith(`${PREFIX}/moved/to/`))
        moved.add(pathname.split('/')[5] ?? '')
    },
    async visit(page, path) {
      await drawn(page)
      t.equal(await page.getByRole('alert').count(), 0, `${path}: says no error`)
      for (const href of (await page.evaluate(LINKS)) as string[]) {
        if (followed.has(kindOf(href)) || href.endsWith('/logout')) continue
        followed.add(kindOf(href))
        const answer = await page.request.get(href, { headers: { accept: 'text/html' } })
        t.not(answer.status(), 404, `${path}: ${href} leads somewhere`)
      }
    }
  })
  const unknown = (await Promise.all(missing)).filter((one) => one.includes('at this address'))
  t.same(unknown, [])
  t.ok(paths.length > 36, `${paths.length} pages`)
  t.ok(followed.size > 80, `${followed.size} kinds of links`)
  t.ok(moved.has('telemetry-dashboard') && moved.has('oauth') && moved.has('agent'))
})
