// Takes a picture of each page of a running demo in every look, to look at them beside each other: no test.
// node test/e2e/take-pictures.mjs [url] [folder] [part of a path]
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { closeBrowser, openPage } from '@keelson/ui/testing'
import { drawn, pathsOf } from '../dist/e2e/demo-in-browser.js'

const [url = 'http://127.0.0.1:3000', folder = 'pictures', part = ''] = process.argv.slice(2)
const WIDTHS = [1280, 380]
/** Pixels. */
const TALLEST = 2400
const SCHEMES = ['light', 'dark']
const LOCALES = ['en-GB', 'de-DE']
/** Pages that need an id, or that are more than one page; ids of `npm run demo:traffic`. */
const ADDRESSES = {
  '/admin/mailer/template': [
    '/admin/mailer/template/newsletter',
    '/admin/mailer/template/newsletter?source=mjml'
  ],
  '/admin/mailer/flow': [
    '/admin/mailer/flow/onboarding',
    '/admin/mailer/flow/onboarding?step=0',
    '/admin/mailer/flow/onboarding?sim=u10',
    '/admin/mailer/flow/onboarding?tab=runs'
  ],
  '/admin/mailer/broadcast': [
    '/admin/mailer/broadcast/autumn-notes',
    '/admin/mailer/broadcast/winter-offer',
    '/admin/mailer/broadcast/year-in-review',
    '/admin/mailer/broadcast/year-in-review?show=schedule'
  ],
  '/admin/mailer/contact': ['/admin/mailer/contact/u110', '/admin/mailer/contact/u5'],
  '/admin/mailer/programs': ['/admin/mailer/programs', '/admin/mailer/programs/second-steps']
}

const kept = { teardown: () => undefined }
mkdirSync(folder, { recursive: true })
for (const locale of LOCALES) {
  const { page } = await openPage(kept, { locale })
  page.setDefaultTimeout(30_000)
  await page.request.post(`${url}/login`, {
    headers: { origin: url },
    data: {
      email: 'admin@acme.test',
      password: process.env.KEELSON_DEMO_PASSWORD ?? 'keelson-demo'
    }
  })
  await page.goto(`${url}/admin/mailer`)
  const paths = (await pathsOf(page, { url })).flatMap((path) => ADDRESSES[path] ?? [path])
  for (const path of paths.filter((one) => one.includes(part))) await takeEveryLook(page, path)
}
await closeBrowser()

/** The page is opened once and turned from look to look. */
async function takeEveryLook(page, path) {
  await page.goto(`${url}${path}`)
  await drawn(page)
  const language = await page.evaluate('navigator.language.slice(0, 2)')
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 })
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme })
      await page.waitForLoadState('networkidle')
      await drawn(page)
      // As tall as the page: rows further down are drawn when they come into view.
      const height = await page.evaluate('document.documentElement.scrollHeight')
      await page.setViewportSize({ width, height: Math.min(Math.max(height, 800), TALLEST) })
      await drawn(page)
      const name = path.slice(1).replaceAll(/[^a-z0-9]+/g, '-')
      const file = `${[name, language, width, colorScheme].join('.')}.png`
      await page.screenshot({ path: join(folder, file) })
      await page.setViewportSize({ width, height: 800 })
    }
  }
  process.stdout.write(`${path} ${language}\n`)
}
