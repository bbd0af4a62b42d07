// Downloads of pages: by the browser, and with a token by the page.
import type { KeelsonPage } from '@keelson/ui'
import tap, { test } from 'tap'
import { browserOptions, closeBrowser } from './test/browser.ts'
import { openElementPage } from './test/element-page.ts'

tap.teardown(closeBrowser)

/** An embedded page with a download of `/mount/rows.csv`, and the credentials that each request for it had. */
async function openDownload(t: Parameters<typeof openElementPage>[0], withToken: boolean) {
  const opened = await openElementPage(t)
  const { page } = opened
  await page.evaluate(async (hasToken) => {
    const { definePage, downloadLink, KeelsonPage } = await import('@keelson/ui')
    class Sample extends KeelsonPage {
      protected override content() {
        const href = new URL('/mount/rows.csv', location.href)
        return downloadLink(this, { href, name: 'rows.csv', label: 'Export' })
      }
    }
    definePage('sample-download', Sample)
    const one = document.createElement('sample-download') as KeelsonPage
    one.apiBase = '/mount'
    if (hasToken) one.getToken = async () => 'a-token'
    document.querySelector('main')?.append(one)
  }, withToken)
  return { ...opened, link: page.getByRole('link', { name: 'Export' }) }
}

test('with getToken a download has the token and is saved', browserOptions, async (t) => {
  const { page, link } = await openDownload(t, true)
  const sent: (string | undefined)[] = []
  await page.route('**/mount/rows.csv', async (route) => {
    sent.push((await route.request().allHeaders())['authorization'])
    return route.fulfill({ contentType: 'text/csv', body: 'a,b\r\n1,2' })
  })
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
  t.equal(download.suggestedFilename(), 'rows.csv')
  const parts: Uint8Array[] = []
  for await (const part of await download.createReadStream()) parts.push(part as Uint8Array)
  t.equal(Buffer.concat(parts).toString(), 'a,b\r\n1,2')
  t.same(sent, ['Bearer a-token'])
})

test('a refused download says why and saves nothing', browserOptions, async (t) => {
  const { page, link } = await openDownload(t, true)
  await page.route('**/mount/rows.csv', (route) => route.fulfill({ status: 403, json: {} }))
  await link.click()
  await page.getByText('Your role does not allow this.').waitFor()
})

test('without getToken the browser follows the link itself', browserOptions, async (t) => {
  const { link } = await openDownload(t, false)
  const isOurs = await link.evaluate((one) => {
    const click = new MouseEvent('click', { bubbles: true, cancelable: true, composed: true })
    let taken = true
    document.addEventListener(
      'click',
      (event) => {
        taken = event.defaultPrevented
        event.preventDefault()
      },
      { once: true }
    )
    one.dispatchEvent(click)
    return taken
  })
  t.equal(isOurs, false)
})

test('a download ends at the size that a page keeps in memory', async (t) => {
  const { endedAt } = await import('./download-link.ts')
  const copy = (size: number) =>
    new Response(
      new Response(new Uint8Array(size)).body?.pipeThrough(endedAt(1000, 'too large'))
    ).arrayBuffer()
  t.equal((await copy(1000)).byteLength, 1000)
  await t.rejects(copy(1001), /too large/)
})
