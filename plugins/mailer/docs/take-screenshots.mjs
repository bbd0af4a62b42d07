// Takes the pictures of the READMEs of mail and deliverability from a demo after `npm run demo:traffic`: node plugins/mailer/docs/take-screenshots.mjs [url]
import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { closeBrowser, openPage } from '@keelson/ui/testing'

const url = process.argv[2] ?? 'http://127.0.0.1:3000'
const plugins = fileURLToPath(new URL('../../', import.meta.url))
const SIZE = { width: 1280, height: 800 }
/** Each picture: its page, what is there when the page is complete, and the plugin whose README shows it. */
const PICTURES = [
  ['dashboard', '', '.tiles'],
  ['template', 'template/newsletter?source=mjml', '.cm-content'],
  ['blocks', 'template/newsletter?source=blocks', '.pick'],
  ['flow', 'flow/onboarding?sim=u10', '.stops li'],
  ['broadcast', 'broadcast/autumn-notes', 'tbody tr'],
  ['contact', 'contact/u110', '.entry'],
  ['flows', 'flows', 'tbody tr'],
  ['runs', 'flow/onboarding?tab=runs', 'tbody tr'],
  ['templates', 'templates', 'tbody tr'],
  ['broadcasts', 'broadcasts', 'tbody tr'],
  ['contacts', 'contacts', 'tbody tr'],
  ['sends', 'sends', 'tbody tr'],
  ['suppressions', 'suppressions', 'h1'],
  ['programs', 'programs', 'h1', 'programs'],
  ['categories', 'categories', 'h1'],
  ['audit', 'audit', 'tbody tr'],
  ['settings', 'settings', '.settings'],
  ['cockpit', 'deliverability', '.verdict', 'deliverability/circuit-breaker'],
  ['health', 'health', 'tbody tr', 'deliverability/circuit-breaker'],
  ['domains', 'dmarc', '.tiles', 'deliverability/dmarc'],
  ['lists', 'block-lists', 'h1', 'deliverability/block-lists'],
  ['reputation', 'reputation', 'h1', 'deliverability/postmaster'],
  ['engagement', 'hygiene', '.tiles', 'deliverability/list-hygiene']
]

const kept = { teardown: () => undefined }
const { page } = await openPage(kept, { viewport: SIZE })
const password = process.env.KEELSON_DEMO_PASSWORD ?? 'keelson-demo'
await page.request.post(`${url}/login`, {
  headers: { origin: url },
  data: { email: 'admin@acme.test', password }
})
const { page: painter } = await openPage(kept)
for (const [name, path, ready, plugin = 'mailer'] of PICTURES) {
  await page.goto(`${url}/admin/mailer${path === '' ? '' : `/${path}`}`)
  await page.locator(ready).first().waitFor()
  await page.waitForLoadState('networkidle')
  const folder = `${plugins}${plugin}/docs`
  mkdirSync(folder, { recursive: true })
  const file = `${folder}/${name}.webp`
  const bytes = await webpOf(await page.screenshot())
  writeFileSync(file, bytes)
  process.stdout.write(`${file}: ${bytes.length} bytes\n`)
}
await closeBrowser()

/** A browser writes WebP; the screenshot itself is PNG. */
async function webpOf(png) {
  const data = await painter.evaluate(
    async (source) => {
      const picture = new Image()
      picture.src = source
      await picture.decode()
      const canvas = document.createElement('canvas')
      canvas.width = picture.width
      canvas.height = picture.height
      canvas.getContext('2d').drawImage(picture, 0, 0)
      return canvas.toDataURL('image/webp', 0.82)
    },
    `data:image/png;base64,${png.toString('base64')}`
  )
  return Buffer.from(data.slice(data.indexOf(',') + 1), 'base64')
}
