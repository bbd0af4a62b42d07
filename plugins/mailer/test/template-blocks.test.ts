// The block editor in a browser, before the real server.
// Runs beside the others: it waits for much of its time.
import { browserOptions, closeBrowser, faultsInEveryLook } from '@keelson/ui/testing'
import type { Page } from 'playwright-core'
import tap, { type Test, test } from 'tap'
import { type MailBrowser, openMail, people, sharedPlatform } from './page-host.ts'

tap.teardown(closeBrowser)
const platformOf = sharedPlatform(tap, { people: people(2) })

const MJML = `<mjml>
  <mj-head><mj-attributes><mj-all font-family="Arial" /></mj-attributes></mj-head>
  <mj-body   background-color='#f1f3f6'>
    <!-- top -->
    <mj-section css-class="hero">
      <mj-column>
        <mj-text font-size="20px">Hello {{contact.fields.firstName}},</mj-text>
        <mj-button href="https://example.com/a?b=1&amp;c=2" x-unknown='1'>Read more</mj-button>
      </mj-column>
      <mj-column width="40%" />
    </mj-section>
    {{#if vars.beta}}<mj-hero mode="fixed-height"><mj-text>Odd</mj-text></mj-hero>{{/if}}
  </mj-body>
</mjml>
`

interface Opened extends MailBrowser {
  /** The MJML of the saved draft. */
  saved(): Promise<string>
}

async function openBlocks(t: Test, slug: string, look = {}): Promise<Opened> {
  const opened = await openMail(t, platformOf, look)
  const { platform, page } = opened
  await platform.admin('POST', '/templates', { slug, name: slug, kind: 'transactional' })
  await platform.admin('PATCH', `/templates/${slug}/draft`, { mjml: MJML, subject: 'S' })
  await opened.show(`template/${slug}?source=blocks`)
  await pick(page, '0').waitFor()
  const saved = async () => {
    await page.getByRole('status').getByText('Saved', { exact: true }).waitFor()
    return (await platform.admin('GET', `/templates/${slug}`)).body.draft.body.mjml as string
  }
  return { ...opened, saved }
}

const pick = (page: Page, path: string) => page.locator(`[data-path="${path}"]`)
const focused = (page: Page) =>
  page.evaluate(`(() => {
    let at = document.activeElement
    while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement
    return at?.getAttribute('data-path') ?? at?.tagName
  })()`)

test('a text is edited in place, and all else of the source stays', browserOptions, async (t) => {
  const { page, saved, faults } = await openBlocks(t, 'in-place')
  await pick(page, '1.0.0').click()
  const text = page.getByRole('textbox', { name: 'Text', exact: true })
  await text.fill('Good morning {{contact.fields.firstName}},')
  await page.frameLocator('iframe').getByText('Good morning Sam,').waitFor()
  t.equal(await saved(), MJML.replace('Hello', 'Good morning'))
  t.same(faults, [])
})

test('the selected block is in the address', browserOptions, async (t) => {
  const { page } = await openBlocks(t, 'address')
  await pick(page, '1.0.1').click()
  await page.waitForURL(/[?&]block=1\.0\.1/)
  await page.reload()
  await page.getByRole('region', { name: 'Button settings' }).waitFor()
  t.equal(await pick(page, '1.0.1').getAttribute('aria-current'), 'true')
})

test('attributes are set in the panel, the unknown ones too', browserOptions, async (t) => {
  const { page, saved } = await openBlocks(t, 'attributes')
  await pick(page, '1.0.1').click()
  const panel = page.getByRole('region', { name: 'Button settings' })
  t.equal(await panel.getByLabel('Link').inputValue(), 'https://example.com/a?b=1&c=2')
  await panel.getByLabel('x-unknown').fill('2')
  await panel.getByLabel('Alignment').selectOption('left')
  t.equal(await saved(), MJML.replace("x-unknown='1'", 'x-unknown="2" align="left"'))
})

test('the code editor and the block editor share one draft', browserOptions, async (t) => {
  const { page, saved } = await openBlocks(t, 'both')
  await pick(page, '1.0.0').click()
  await page.getByRole('textbox', { name: 'Text', exact: true }).fill('From blocks')
  await page.getByRole('link', { name: 'MJML' }).click()
  const code = page.getByRole('textbox', { name: 'Source of the mail' })
  await code.getByText('From blocks').click()
  await page.keyboard.press('Home')
  await page.keyboard.insertText('<mj-divider />')
  await page.getByRole('link', { name: 'Blocks' }).click()
  await pick(page, '1.0.0').getByText('Divider').waitFor()
  await pick(page, '1.0.1').getByText('From blocks').waitFor()
  const text = 'Hello {{contact.fields.firstName}},'
  const element = '<mj-text font-size="20px">'
  t.equal(
    await saved(),
    MJML.replace(text, 'From blocks').replace(element, `<mj-divider />${element}`)
  )
})

test(
  'blocks are added, moved, copied, deleted and brought back by key alone',
  browserOptions,
  async (t) => {
    const { page, saved } = await openBlocks(t, 'keys')
    const press = async (...keys: readonly string[]) => {
      for (const key of keys) await page.keyboard.press(key)
    }
    await pick(page, '0').focus()
    await press('ArrowDown', 'ArrowDown', 'ArrowDown')
    t.equal(await focused(page), '1.0.0')
    await press('Enter')
    t.equal(await focused(page), 'TEXTAREA')
    await press('Escape', 'Alt+ArrowDown')
    await pick(page, '1.0.1').getByText('Hello').waitFor()
    t.equal(await focused(page), '1.0.1')
    await press('Alt+ArrowDown')
    await pick(page, '1.1.0').getByText('Hello').waitFor()
    t.match(await saved(), '<mj-column width="40%">\n        <mj-text')
    await press('a')
    await page.getByRole('button', { name: 'Spacer' }).waitFor()
    await press('Tab', 'Tab', 'Tab', 'Tab', 'Tab', 'Enter')
    await pick(page, '1.1.1').getByText('20px').waitFor()
    t.equal(await focused(page), '1.1.1')
    await press('Delete')
    await page.getByText('Block deleted.').waitFor()
    await press('Control+z', 'Control+z', 'Control+z', 'Control+z')
    await pick(page, '1.0.0').getByText('Hello').waitFor()
    t.equal(await saved(), MJML)
  }
)

test('the first blocks of an empty mail bring a section along', browserOptions, async (t) => {
  const { page, platform, show } = await openBlocks(t, 'first')
  const mjml = '<mjml><mj-body></mj-body></mjml>'
  await platform.admin('PATCH', '/templates/first/draft', { mjml })
  await show('template/first?source=blocks')
  await page.getByText('Add the first block.').waitFor()
  await page.getByRole('button', { name: 'Add block' }).click()
  await page.getByRole('button', { name: 'Button', exact: true }).click()
  await pick(page, '0.0.0').getByText('Button').first().waitFor()
  await page.frameLocator('iframe').getByText('Button').waitFor()
  t.equal(await focused(page), '0.0.0')
})

test('a source without a body leads to the code', browserOptions, async (t) => {
  const { page, platform, show } = await openBlocks(t, 'no-body')
  await platform.admin('PATCH', '/templates/no-body/draft', { mjml: '<mjml><mj-body>' })
  await show('template/no-body?source=blocks')
  await page.getByRole('button', { name: 'Open code' }).click()
  await page.getByRole('textbox', { name: 'Source of the mail' }).waitFor()
  t.match(page.url(), /source=mjml/)
})

test('a finding is shown at its block and leads to it', browserOptions, async (t) => {
  const { page, platform, show } = await openBlocks(t, 'finding')
  const mjml = MJML.replace('<mj-button', '<mj-image src="https://example.com/a.png" /><mj-button')
  await platform.admin('PATCH', '/templates/finding/draft', { mjml })
  await show('template/finding?source=blocks')
  await pick(page, '1.0.1').getByText('1 finding').waitFor()
  const findings = page.getByRole('region', { name: 'Findings' })
  await findings.getByRole('button', { name: 'Line 8' }).click()
  await page.getByRole('region', { name: 'Image settings' }).waitFor()
  t.equal(await focused(page), '1.0.1')
})

test('the block editor passes axe and does not scroll sideways', browserOptions, async (t) => {
  const opened = await openBlocks(t, 'looked-at')
  const { page } = opened
  await pick(page, '1.0.0').click()
  await page.getByRole('region', { name: 'Text settings' }).waitFor()
  t.same(await faultsInEveryLook(page), [])
  await page.keyboard.press('a')
  await page.getByRole('button', { name: 'Spacer' }).waitFor()
  t.same(await faultsInEveryLook(page), [], 'add')
})

test('a block is dragged into another column by mouse and by finger', browserOptions, async (t) => {
  const { page, saved } = await openBlocks(t, 'dragged')
  const middle = async (selector: string) => {
    const box = await page.locator(selector).first().boundingBox()
    if (box === null) throw new Error(`${selector} is not drawn`)
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  }
  const grip = await middle('[data-path="1.0.0"] svg')
  const column = await middle('[data-place="1.1.0"]')
  await page.mouse.move(grip.x, grip.y)
  await page.mouse.down()
  await page.mouse.move(column.x, column.y, { steps: 5 })
  await page.locator('[data-place="1.1.0"].drop').waitFor()
  await page.mouse.up()
  await pick(page, '1.1.0').getByText('Hello').waitFor()
  t.equal(await focused(page), '1.1.0')
  t.match(await saved(), /<mj-column width="40%">\n\s+<mj-text font-size="20px">Hello/)
  const finger = await middle('[data-path="1.1.0"] svg')
  const back = await middle('[data-place="1.0.1"]')
  const devtools = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: { x: number; y: number }) =>
    devtools.send('Input.dispatchTouchEvent', { type, touchPoints: at === undefined ? [] : [at] })
  await touch('touchStart', finger)
  await touch('touchMove', { x: finger.x, y: finger.y + 20 })
  await touch('touchMove', back)
  await page.locator('[data-place="1.0.1"].drop').waitFor()
  await touch('touchEnd')
  await pick(page, '1.0.1').getByText('Hello').waitFor()
})

test('a column is dropped beside columns alone', browserOptions, async (t) => {
  const { page } = await openBlocks(t, 'columns')
  const box = await page.locator('[data-path="1.1"] svg').boundingBox()
  await page.mouse.move((box?.x ?? 0) + 3, (box?.y ?? 0) + 3)
  await page.mouse.down()
  const text = await page.locator('[data-path="1.0.0"]').boundingBox()
  await page.mouse.move((text?.x ?? 0) + 9, text?.y ?? 0, { steps: 4 })
  const place = page.locator('.drop')
  await place.waitFor()
  t.match(await place.getAttribute('data-place'), /^1\.\d$/)
  await page.keyboard.press('Escape')
  await place.waitFor({ state: 'detached' })
})

test('a plus between blocks adds in its place what fits there', browserOptions, async (t) => {
  const { page } = await openBlocks(t, 'plus')
  await page.locator('[data-place="1.0.1"]').click()
  await page.getByRole('button', { name: 'Divider', exact: true }).waitFor()
  t.equal(await page.getByRole('button', { name: 'Section, 2 columns' }).count(), 0)
  await page.getByRole('button', { name: 'Divider', exact: true }).click()
  await pick(page, '1.0.1').getByText('Divider').waitFor()
})

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64'
)

test(
  'a picture is uploaded into an image block, chosen again, and seen in the preview',
  browserOptions,
  async (t) => {
    const { page, saved, platform, faults } = await openBlocks(t, 'pictures')
    await page.locator('[data-place="1.1.0"]').click()
    await page.getByRole('button', { name: 'Image', exact: true }).click()
    await pick(page, '1.1.0').waitFor()
    const choose = page.getByRole('button', { name: 'Choose a picture' })
    await choose.click()
    const upload = page.getByLabel('Upload')
    await upload.setInputFiles({
      name: 'no.png',
      mimeType: 'image/png',
      buffer: Buffer.from('<svg/>')
    })
    await page.getByRole('alert').getByText('must be a PNG').waitFor()
    await upload.setInputFiles({ name: 'dot.png', mimeType: 'image/png', buffer: PNG })
    await upload.waitFor({ state: 'detached' })
    const source = await saved()
    const [, address = ''] = /<mj-image src="([^"]+)" width="1px"/.exec(source) ?? []
    t.match(address, /^https:\/\/mail\.example\.test\/m\/image\/[0-9a-f]{32}\.png$/)
    t.equal((await platform.app.inject({ url: new URL(address).pathname })).statusCode, 200)
    await choose.click()
    await page.getByRole('button', { name: 'dot.png 1 × 1' }).waitFor()
    const picture = page.locator('mailer-image-picker img')
    t.equal(
      await picture.evaluate((image: HTMLImageElement) =>
        image.decode().then(() => image.naturalWidth)
      ),
      1
    )
    await page.getByRole('button', { name: 'Delete dot.png' }).click()
    await page.getByRole('alert').getByText('pictures').waitFor()
    t.same(await faultsInEveryLook(page), [])
    t.same(
      faults.filter((fault) => !fault.includes('409') && !fault.includes('422')),
      []
    )
  }
)
