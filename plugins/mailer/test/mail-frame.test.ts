// The frame that shows a mail: what it fetches and where its links lead, in a page with and without a policy.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { browserOptions, closeBrowser } from '@keelson/ui/testing'
import tap, { type Test, test } from 'tap'
import { openMail, sharedPlatform } from './page-host.ts'

tap.teardown(closeBrowser)
const platformOf = sharedPlatform(tap)
const PIXEL = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'

/** A server that a mail wants to be seen by, and a page of another site that embeds the frame. */
async function openSite(t: Test, page: () => string, policy = "frame-ancestors 'none'") {
  const fetched: string[] = []
  const server = createServer((request, answer) => {
    const { url = '' } = request
    if (url === '/page') {
      answer
        .setHeader('content-type', 'text/html')
        .setHeader('content-security-policy', policy)
        .end(page())
      return
    }
    if (url !== '/favicon.ico') fetched.push(url)
    answer
      .setHeader('content-type', 'image/svg+xml')
      .end('<svg xmlns="http://www.w3.org/2000/svg"/>')
  })
  t.teardown(() => {
    server.close()
    server.closeAllConnections()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, fetched }
}

const mailOf = (spy: string) => `<!doctype html><html><head>
<style>.sheet { background: url(${spy}/sheet) } @font-face { font-family: f; src: url(${spy}/font) } body { font-family: f }</style>
<meta http-equiv="refresh" content="0; url=${spy}/refresh">
<link rel="stylesheet" href="${spy}/link"><base href="${spy}/base/"></head>
<body background="${spy}/body"><p class="sheet" style="color: rgb(1, 2, 3); background-image: url(${spy}/inline)">Hello</p>
<img id="remote" src="${spy}/img" srcset="${spy}/srcset 2x"><img id="own" src="${PIXEL}">
<picture><source srcset="${spy}/source"><img src="${spy}/picture"></picture>
<video poster="${spy}/poster" src="${spy}/video"></video><audio src="${spy}/audio"></audio><input type="image" src="${spy}/input">
<iframe src="${spy}/iframe"></iframe><object data="${spy}/object"></object><embed src="${spy}/embed">
<svg width="40" height="40"><image href="${spy}/svg-image" /><use href="${spy}/use#a" /><use href="#kept" /><rect id="kept" width="9" height="9" style="fill: url(${spy}/fill#a)" />
<a id="svg" xlink:href="${spy}/svg-link"><rect width="40" height="40" /></a>
<a id="moved"><set attributeName="href" to="${spy}/set" /><animate attributeName="href" to="${spy}/animate" /><rect width="40" height="40" /></a></svg>
<img src="${PIXEL}" usemap="#map" width="40" height="40"><map name="map"><area id="area" shape="rect" coords="0,0,40,40" href="${spy}/area"></map>
<math><mtext id="math" href="${spy}/math">math</mtext></math>
<a id="a" href="${spy}/a" ping="${spy}/ping">link</a><form action="${spy}/form"><button id="form">send</button></form>
</body></html>`

const PICTURES =
  '/img /srcset /sheet /body /inline /source /picture /poster /input /svg-image /fill /base'.split(
    ' '
  )
const LINKS = ['#a', '#svg', '#moved', '#area', '#math', '#form']

for (const isEmbedded of [false, true]) {
  const where = isEmbedded ? 'in a page of another site without a policy' : 'in the shell'
  test(`a mail ${where} fetches nothing, and its links lead nowhere`, browserOptions, async (t) => {
    const { page, platform, show } = await openMail(t, platformOf)
    const module = `${platform.url}/embed/mailer/sends.js`
    const spy = await openSite(
      t,
      () => `<!doctype html><body><script type="module" src="${module}"></script>`
    )
    if (isEmbedded) await page.goto(`${spy.url}/page`)
    else await show('sends')
    await page.waitForFunction(() => customElements.get('mailer-mail-frame') !== undefined)
    await page.evaluate(
      ([mail, opaque]) => {
        const frame = Object.assign(document.createElement('mailer-mail-frame'), {
          mail,
          label: 'Mail',
          opaque: new URL(opaque)
        })
        frame.style.blockSize = '400px'
        document.body.prepend(frame)
      },
      [mailOf(spy.url), `${platform.url}/m/mail-frame`] as const
    )
    const frame = page.frameLocator('iframe[title="Mail"]')
    await frame.getByText('Hello').waitFor()
    t.equal(
      await frame
        .locator('#own')
        .evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth)),
      1,
      'a picture within the mail is shown'
    )
    t.equal(
      await frame.getByText('Hello').evaluate((text) => getComputedStyle(text).color),
      'rgb(1, 2, 3)',
      'its styles hold'
    )
    t.equal(await frame.locator('use[href="#kept"]').count(), 1)
    for (const link of LINKS) {
      await frame.locator(link).dispatchEvent('click')
      t.ok(await frame.getByText('Hello').isVisible(), link)
    }
    t.equal(await frame.locator('#a').getAttribute('title'), `${spy.url}/a`)
    t.same(spy.fetched, [])
    await page.getByRole('button', { name: 'Show pictures' }).click()
    await frame.locator('#remote[src]').waitFor()
    t.equal(
      await frame.getByText('Hello').evaluate((text) => getComputedStyle(text).color),
      'rgb(1, 2, 3)',
      'its styles hold'
    )
    await frame.locator('#remote').evaluate((image: HTMLImageElement) => image.decode())
    for (const link of LINKS) await frame.locator(link).dispatchEvent('click')
    t.ok(await frame.getByText('Hello').isVisible(), 'links lead nowhere')
    const asked = new Set(spy.fetched)
    for (const picture of ['/img', '/inline', '/body']) t.ok(asked.has(picture), picture)
    t.same(
      [...asked].filter((address) => !PICTURES.includes(address)),
      [],
      'nothing but pictures is fetched'
    )
    t.equal(
      await frame.locator('body').evaluate(() => {
        try {
          return String(parent.document.title)
        } catch {
          return origin
        }
      }),
      'null',
      'it has an origin of its own'
    )
  })
}

test(
  'a site whose policy forbids the document is told, and shows the mail without pictures',
  browserOptions,
  async (t) => {
    const { page, platform } = await openMail(t, platformOf)
    const spy = await openSite(
      t,
      () =>
        `<!doctype html><body><script type="module" src="${platform.url}/embed/mailer/sends.js"></script>`,
      "frame-src 'none'"
    )
    await page.goto(`${spy.url}/page`)
    await page.waitForFunction(() => customElements.get('mailer-mail-frame') !== undefined)
    await page.evaluate(
      ([mail, opaque]) => {
        const frame = Object.assign(document.createElement('mailer-mail-frame'), {
          mail,
          label: 'Mail',
          opaque: new URL(opaque)
        })
        frame.style.blockSize = '400px'
        document.body.prepend(frame)
      },
      [`<p>Hello</p><img src="${spy.url}/img">`, `${platform.url}/m/mail-frame`] as const
    )
    await page.getByRole('button', { name: 'Show pictures' }).click()
    await page.getByText('Pictures cannot be shown in this page.').waitFor()
    await page.frameLocator('iframe[title="Mail"]').getByText('Hello').waitFor()
    t.same(spy.fetched, [])
  }
)
