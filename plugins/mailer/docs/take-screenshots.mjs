// Takes the pictures of the README from the running demo: node plugins/mailer/docs/take-screenshots.mjs [url]
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { closeBrowser, openPage } from '@keelson/ui/testing'

const url = process.argv[2] ?? 'http://127.0.0.1:3000'
const folder = fileURLToPath(new URL('.', import.meta.url))
const SIZE = { width: 1280, height: 800 }
/** Each picture: what is opened, and what is there when the page is complete. */
const PICTURES = [
  ['dashboard', '', '.tiles'],
  ['template', 'template/newsletter', '.cm-content'],
  ['blocks', 'template/newsletter?source=blocks', '.pick'],
  ['flow', 'flow/onboarding?sim=u10', '.stops li'],
  ['broadcast', 'broadcast/spring-news', '.figure'],
  ['contact', 'contact/u10', 'h1']
]

const kept = { teardown: () => undefined }
const { page } = await openPage(kept, { viewport: SIZE })
const password = process.env.KEELSON_DEMO_PASSWORD ?? 'keelson-demo'
await page.request.post(`${url}/login`, {
  headers: { origin: url },
  data: { email: 'admin@acme.test', password }
})
await sendBroadcast()
const { page: painter } = await openPage(kept)
for (const [name, path, ready] of PICTURES) {
  await page.goto(`${url}/admin/mailer${path === '' ? '' : `/${path}`}`)
  await page.locator(ready).first().waitFor()
  await page.waitForLoadState('networkidle')
  const file = `${folder}${name}.webp`
  const bytes = await webpOf(await page.screenshot())
  writeFileSync(file, bytes)
  process.stdout.write(`${file}: ${bytes.length} bytes\n`)
}
await closeBrowser()

/** A broadcast to the people with the tag `beta`, once; waits until its mails have left. */
async function sendBroadcast() {
  const api = `${url}/admin/mailer/api/broadcasts`
  const call = (path, data) =>
    page.request.post(`${api}${path}`, { headers: { origin: url }, data })
  const segmentDefinition = { filters: [{ kind: 'hasTag', tag: 'beta' }] }
  const fields = { slug: 'spring-news', name: 'Spring news', templateSlug: 'newsletter' }
  await call('', { ...fields, segmentDefinition })
  const counted = await (await call('/spring-news/segment/count', {})).json()
  await call('/spring-news/schedule', {
    scheduledAt: new Date().toISOString(),
    confirmedCount: counted.recipientCount
  })
  for (let tries = 0; tries < 60; tries += 1) {
    const { status } = await (await page.request.get(`${api}/spring-news`)).json()
    if (status === 'sent') return
    await new Promise((resolve) => setTimeout(resolve, 2000))
  }
  throw new Error('The broadcast was not sent within two minutes. Is the demo sending?')
}

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
