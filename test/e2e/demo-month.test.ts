// The month that `npm run demo:traffic` plays: every page of the demo has something to show afterwards.
// Runs beside the others: it waits for much of its time.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { browserOptions, closeBrowser, openPage } from '@keelson/ui/testing'
import type { Page } from 'playwright-core'
import tap, { test } from 'tap'
import type { DemoProcess } from '../hosts/demo-process.ts'
import { startFreshDemo } from '../hosts/fresh-demo.ts'
import { ROOT } from '../hosts/processes.ts'
import { drawn, pathsOf, signIn } from './demo-in-browser.ts'
import { type WatchedTexts, watchTexts } from './german-texts.ts'

tap.teardown(closeBrowser)
const demo: DemoProcess = await startFreshDemo(tap, {}, { isServed: true })

const TRAFFIC =
  "import('./examples/platform/dist/traffic.js').then(async (it) => process.exit(await it.main(['--fast', '--month'], process.env)))"

/** Plays the month; resolves with what was printed. */
async function playMonth(): Promise<string> {
  const env = { ...process.env, PORT: new URL(demo.url).port }
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', TRAFFIC], {
    cwd: ROOT,
    env
  })
  return stdout
}

/** In place of a path without an id, and of what only a query shows. */
const ADDRESSES: Readonly<Record<string, string>> = {
  '/admin/mailer/template': '/admin/mailer/template/newsletter',
  '/admin/mailer/flow': '/admin/mailer/flow/onboarding',
  '/admin/mailer/broadcast': '/admin/mailer/broadcast/autumn-notes',
  '/admin/mailer/contact': '/admin/mailer/contact/u110'
}
/** Further states of pages. */
const STATES = [
  '/admin/mailer/flow/onboarding?sim=u195',
  '/admin/mailer/flow/onboarding?tab=runs',
  '/admin/mailer/flow/onboarding?tab=versions',
  '/admin/mailer/broadcast/winter-offer',
  '/admin/mailer/contact/u5',
  '/admin/mailer/contact/u195',
  '/admin/mailer/programs/second-steps'
]

/** In the page: whether the first list has a row, or what stands in its place. */
const FIRST_LIST = `(() => {
  const deep = (root) =>
    [...root.querySelectorAll('*')].flatMap((one) => [one, ...(one.shadowRoot ? deep(one.shadowRoot) : [])])
  const first = deep(document).find((one) => one.matches('tbody tr, keelson-empty') && one.checkVisibility())
  return first?.matches('keelson-empty') ? (first.getAttribute('heading') ?? first.textContent ?? 'empty').trim() : ''
})()`

const addressesOf = async (page: Page) =>
  (await pathsOf(page, demo)).map((path) => ADDRESSES[path] ?? path)

/** Codes that the makers of a host choose, and those in its mail: they are shown as they are. */
const OWN_NAMES = [/^\/admin\/mailer\/(templates|template|settings)/, /^\/dev\/mailbox/]

/**
 * In the page: words as codes are, `pending_doi`, `flow.paused`, `CONTACT_ID`, `dnsServers`, that are shown or read aloud
 * and not marked as code.
 */
const RAW_CODES = `(() => {
  const skipped = 'code, pre, kbd, .mono, textarea, option, script, style, time, svg, iframe, noscript'
  const read = ['aria-label', 'placeholder', 'heading', 'label']
  const code = /(?<![\\w@/.:?&=#-])(?:[a-z][a-z0-9]*(?:[_.][a-z][a-z0-9]*)+|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|[a-z][a-z0-9]*[A-Z]\\w*)(?![\\w@/:-])/g
  const found = new Set()
  const note = (text) => {
    for (const [one] of (text ?? '').matchAll(code)) found.add(one)
  }
  const look = (node) => {
    for (const one of node.childNodes) {
      if (one.nodeType === Node.TEXT_NODE) note(one.data)
      if (one.nodeType !== Node.ELEMENT_NODE || one.matches(skipped) || !one.checkVisibility()) continue
      for (const name of read) note(one.getAttribute(name))
      if (one.shadowRoot) look(one.shadowRoot)
      look(one)
    }
  }
  look(document.body)
  return [...found]
})()`
/** In the page: headings, figures, tags and buttons that have no room for their text. Names and sentences may be cut. */
const CUT = `(() => {
  const whole = 'h2, th:not(.wraps), td.num, td:has(> .tag), td:has(> .btn), .label, .change'
  const deep = (root) =>
    [...root.querySelectorAll('*')].flatMap((one) => [one, ...(one.shadowRoot ? deep(one.shadowRoot) : [])])
  return deep(document)
    .filter((one) => one.matches(whole) && one.checkVisibility() && one.clientWidth > 2)
    .filter((one) => getComputedStyle(one).overflowX !== 'visible' && one.scrollWidth > one.clientWidth + 1)
    .map((one) => one.textContent.trim().replace(/\\s+/g, ' '))
})()`
/** They show what is in mails. */
const MAILS = new Set(['/dev/mailbox', '/admin/mailer/template/newsletter'])
/** Signs in with a browser of a language. */
async function openAs(t: Parameters<typeof openPage>[0], locale: string): Promise<Page> {
  const { page } = await openPage(t, { locale })
  await page.request.post(`${demo.url}/login`, {
    headers: { origin: demo.url },
    data: { email: 'admin@acme.test', password: 'keelson-demo' }
  })
  await page.goto(`${demo.url}/admin/mailer`)
  return page
}

/** The codes on a page that are no data. */
async function codesOf(page: Page, texts: WatchedTexts, path: string): Promise<readonly string[]> {
  if (OWN_NAMES.some((own) => own.test(path))) return []
  const found = (await page.evaluate(RAW_CODES)) as readonly string[]
  const codes: string[] = []
  for (const code of found)
    if (!KNOWN.has(code) && !(await texts.isMeasured(code))) codes.push(code)
  return codes
}

/** Events and domains of the demo. */
const KNOWN = new Set([
  'acme.test',
  'user.signed_up',
  'order.placed',
  'app.opened',
  'google.com',
  'outlook.com'
])

test('the month is played once, within the time of the machine, and leaves no list empty, no code, no English in German, and no figure cut', {
  ...browserOptions,
  timeout: 600_000
}, async (t) => {
  t.match(await playMonth(), 'The month is there.')
  t.match(await playMonth(), 'The month was there.')
  const [page, english] = await Promise.all([openAs(t, 'de-DE'), openAs(t, 'en-US')])
  const session = (await page.evaluate("fetch('/session').then((one) => one.status)")) as number
  t.equal(session, 200, 'the time is that of the machine')
  const [texts, inEnglish] = [watchTexts(page), watchTexts(english)]
  const visit = async (path: string) => {
    await page.goto(`${demo.url}${path}`)
    await drawn(page)
    const hasList = !STATES.includes(path)
    if (hasList) t.equal(await page.evaluate(FIRST_LIST), '', path)
    if (!MAILS.has(path)) t.same(await texts.english(), [], `${path}: no English`)
    t.same(await page.evaluate(CUT), [], `${path}: nothing is cut`)
    t.same(await codesOf(page, texts, path), [], `${path}: no codes`)
  }
  const visitInEnglish = async (path: string) => {
    await english.goto(`${demo.url}${path}`)
    await drawn(english)
    t.same(await codesOf(english, inEnglish, path), [], `${path}: no codes in English`)
  }
  for (const path of [...(await addressesOf(page)), ...STATES])
    await Promise.all([visit(path), visitInEnglish(path)])
})

interface Broadcast {
  readonly slug: string
  readonly status: string
  readonly startedAt?: string
}

test('contacts subscribed and templates were published before the first mail', {
  ...browserOptions
}, async (t) => {
  const { page } = await openPage(t)
  await signIn(page, demo, 'admin@acme.test', '/admin/mailer')
  const read = async <T>(path: string): Promise<T> =>
    (await page.evaluate(`fetch('/admin/mailer/api${path}').then((answer) => answer.json())`)) as T
  const { startedAt = '' } = await read<Broadcast>('/broadcasts/autumn-notes')
  for (const id of ['u1', 'u110', 'u190']) {
    const { subscription } = await read<{ subscription: { subscribedAt: string } }>(
      `/contacts/${id}`
    )
    t.ok(subscription.subscribedAt < startedAt, id)
  }
  const versions = await read<readonly { publishedAt: string }[]>('/templates/newsletter/versions')
  t.ok(versions.every(({ publishedAt }) => publishedAt < startedAt))
})

test('the month tells of a test, of bounces, of a trip and its end, of complaints and of people in flows', {
  ...browserOptions
}, async (t) => {
  const { page } = await openPage(t)
  await signIn(page, demo, 'admin@acme.test', '/admin/mailer')
  const read = async <T>(path: string): Promise<T> =>
    (await page.evaluate(`fetch('/admin/mailer/api${path}').then((answer) => answer.json())`)) as T
  const broadcasts = await read<readonly Broadcast[]>('/broadcasts')
  t.match(Object.fromEntries(broadcasts.map(({ slug, status }) => [slug, status])), {
    'autumn-notes': 'sent',
    'price-change': 'sent',
    'winter-offer': 'sent',
    webinar: 'sent'
  })
  const started = broadcasts.map(({ startedAt }) => startedAt).filter((at) => at !== undefined)
  t.equal(new Set(started.map((at) => at.slice(0, 10))).size, 4, 'each left on a day of its own')
  t.match(await read('/broadcasts/autumn-notes'), { winner: /./ })
  const reasons = (await read<readonly { reason: string }[]>('/suppressions')).map(
    ({ reason }) => reason
  )
  t.ok(reasons.includes('hard_bounce') && reasons.includes('unsubscribed'), reasons.join())
  const trips = JSON.stringify(await read('/health/trips'))
  t.match(trips, 'health.trip')
  t.match(trips, 'health.resume')
  const tls = await read<{ items?: readonly object[]; reports?: readonly object[] }>('/dmarc/tls')
  t.match(JSON.stringify(tls), 'google.com')
  const runs = await read<readonly object[]>('/flows/onboarding/runs?status=active')
  t.ok(runs.length > 0, 'people are in the flow')
  t.ok((await read<readonly object[]>('/segments')).length > 2)
  t.ok((await read<readonly object[]>('/programs')).length > 0)
})
