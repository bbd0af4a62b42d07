// Each page with a draft, and each way of leaving it: nothing that was typed is lost.
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import programs from '@keelson/programs'
import { browserOptions, closeBrowser } from '@keelson/ui/testing'
import type { Locator, Page } from 'playwright-core'
import tap, { type Test, test } from 'tap'
import { openMail, type PagePlatform, people, sharedPlatform } from './page-host.ts'
import { publish } from './platform-mailer.ts'

tap.teardown(closeBrowser)
const platformOf = sharedPlatform(tap, {
  people: people(3),
  plugins: [programs],
  platform: { plugins: { programs: { config: { adminTenants: ['acme'] } } } }
})

/** A page with a draft. A new one must be added: see the last test. */
interface Editor {
  /** The folder of the page. */
  readonly folder: string
  /** The address of the list that it is opened from, below `/admin/mailer`. */
  readonly list: string
  /** Shows the field, which adds an entry to the history. */
  show?(page: Page): Promise<void>
  /** Makes what is edited. */
  make(platform: PagePlatform, slug: string): Promise<unknown>
  /** The address below `/admin/mailer`. */
  path(slug: string): string
  /** The field that is typed into. */
  field(page: Page): Locator
  /** What is typed, and what is typed at last. */
  readonly words: readonly [string, string]
  /** What the server has of the field. */
  saved(platform: PagePlatform, slug: string): Promise<unknown>
  /** Another editor saves. */
  other(platform: PagePlatform, slug: string): Promise<unknown>
}

const NEWS = { templateSlug: 'news', segmentDefinition: { filters: [] } }

/** As the page writes it. */
const definition = (holdoutPct: number) => JSON.stringify({ holdoutPct }, null, 2)

const EDITORS: readonly Editor[] = [
  {
    folder: 'template',
    list: 'templates',
    make: ({ admin }, slug) => admin('POST', '/templates', { slug, name: slug, kind: 'marketing' }),
    path: (slug) => `template/${slug}`,
    field: (page) => page.getByLabel('Preheader'),
    words: ['First words', 'Last words'],
    saved: async ({ admin }, slug) =>
      (await admin('GET', `/templates/${slug}`)).body.draft?.preheader,
    other: ({ admin }, slug) => admin('PATCH', `/templates/${slug}/draft`, { preheader: 'Theirs' })
  },
  {
    folder: 'flow',
    list: 'flows',
    show: (page) => page.locator('.canvas[data-editable] [data-path="0"]').click(),
    async make({ admin }, slug) {
      await admin('POST', '/flows', { slug, name: slug, trigger: { eventName: 'signed_up' } })
      const steps = [{ type: 'wait', value: 1, unit: 'days' }]
      await admin('PATCH', `/flows/${slug}/draft`, { steps })
    },
    path: (slug) => `flow/${slug}`,
    field: (page) => page.getByLabel('Amount'),
    words: ['5', '9'],
    saved: async ({ admin }, slug) =>
      (await admin('GET', `/flows/${slug}`)).body.draft?.steps[0]?.value?.toString(),
    other: ({ admin }, slug) =>
      admin('PATCH', `/flows/${slug}/draft`, {
        steps: [{ type: 'wait', value: 3, unit: 'days' }]
      })
  },
  {
    folder: 'broadcast',
    list: 'broadcasts',
    make: ({ admin }, slug) => admin('POST', '/broadcasts', { slug, name: slug, ...NEWS }),
    path: (slug) => `broadcast/${slug}`,
    field: (page) => page.getByLabel('Name', { exact: true }),
    words: ['First words', 'Last words'],
    saved: async ({ admin }, slug) => (await admin('GET', `/broadcasts/${slug}`)).body.name,
    other: ({ admin }, slug) => admin('PATCH', `/broadcasts/${slug}`, { name: 'Theirs' })
  },
  {
    folder: 'programs',
    list: 'programs',
    show: (page) => page.getByRole('link', { name: 'Definition' }).click(),
    make: ({ admin }, slug) => admin('POST', '/programs', { slug, name: slug, draft: {} }),
    path: (slug) => `programs/${slug}`,
    field: (page) => page.getByLabel('Definition (JSON)'),
    words: [definition(5), definition(9)],
    saved: async ({ admin }, slug) =>
      definition((await admin('GET', `/programs/${slug}`)).body.draft?.holdoutPct),
    other: ({ admin }, slug) =>
      admin('PATCH', `/programs/${slug}/draft`, { draft: { holdoutPct: 50 } })
  }
]

let prepared: Promise<void> | undefined

interface Edited {
  readonly page: Page
  readonly platform: PagePlatform
  readonly editor: Editor
  readonly slug: string
  readonly field: Locator
  /** What the server has of the field. */
  saved(): Promise<unknown>
}

/** Opens the list in a tab, and from there the page. */
async function edit(t: Test, editor: Editor, name: string): Promise<Edited> {
  const { platform, page: first } = await openMail(t, platformOf)
  prepared ??= publish(platform, { slug: 'news', kind: 'marketing' })
  await prepared
  const slug = `${editor.folder}-${name}`
  await editor.make(platform, slug)
  const page = await first.context().newPage()
  t.teardown(() => page.close())
  page.setDefaultTimeout(15_000)
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto(`${platform.url}/admin/mailer/${editor.list}`)
  await page.locator(`tr[data-id="${slug}"] a`).first().click()
  await page.waitForURL(new RegExp(`/${slug}`))
  await editor.show?.(page)
  const field = editor.field(page)
  await field.waitFor()
  return { page, platform, editor, slug, field, saved: () => editor.saved(platform, slug) }
}

/** Reads until it is what is expected, as an answer may still be on its way; what it is in the end. */
async function eventually(read: () => Promise<unknown>, expected: unknown): Promise<unknown> {
  for (let left = 500; left > 0; left -= 1) if ((await read()) === expected) return expected
  return read()
}

const away = (page: Page) => page.getByRole('link', { name: 'Suppressions' }).first()
const isAway = (page: Page) => page.waitForURL(/\/suppressions/)
const wordsOf = (page: Page) => page.locator('.saved[role=status]')
const isSaved = (page: Page) => wordsOf(page).getByText('Saved', { exact: true }).waitFor()
const isFailed = (page: Page) => wordsOf(page).getByText('Not saved', { exact: true }).waitFor()
const back = (page: Page, { show }: Editor) =>
  page.evaluate(`history.go(${show === undefined ? -1 : -2})`)
const question = (page: Page) => page.locator('keelson-confirm')
const answer = (page: Page, name: string) =>
  question(page).getByRole('button', { name, exact: true }).click()

/** Makes the saves of the page fail, until the returned function is called. */
async function failSaves(page: Page, how: { status: number } | 'offline') {
  await page.route('**/admin/mailer/api/**', (route, request) => {
    if (request.method() !== 'PATCH') return route.fallback()
    if (how === 'offline') return route.abort()
    return route.fulfill({ status: how.status, json: { error: 'unauthenticated' } })
  })
  return () => page.unroute('**/admin/mailer/api/**')
}

/** Each way of leaving while everything works: the server has what was typed last. */
const WAYS: Readonly<Record<string, (edited: Edited) => Promise<unknown>>> = {
  async 'a link at once'({ page }) {
    await away(page).click()
    await isAway(page)
  },
  async 'a link while the save is on its way'({ page }) {
    await page.waitForRequest((request) => request.method() === 'PATCH')
    await away(page).click()
    await isAway(page)
  },
  async 'a link after the save'({ page }) {
    await isSaved(page)
    await away(page).click()
    await isAway(page)
  },
  async Back({ page, editor }) {
    await back(page, editor)
    await page.waitForURL((url) => url.pathname.endsWith(`/${editor.list}`))
  },
  'a reload': ({ page }) => page.reload(),
  'another document': ({ page, platform }) => page.goto(`${platform.url}/healthz`),
  async 'closing the tab'({ page }) {
    const closed = page.waitForEvent('close')
    await page.close({ runBeforeUnload: true })
    await closed
  }
}

for (const editor of EDITORS) {
  for (const [at, [way, leave]] of Object.entries(WAYS).entries()) {
    test(`${editor.folder}: nothing is lost by ${way}`, browserOptions, async (t) => {
      const edited = await edit(t, editor, `way${at}`)
      await edited.field.fill(editor.words[1])
      await leave(edited)
      t.equal(await eventually(edited.saved, editor.words[1]), editor.words[1])
    })
  }

  test(
    `${editor.folder}: what cannot be saved is kept, and asked about`,
    browserOptions,
    async (t) => {
      const { page, field, saved } = await edit(t, editor, 'away')
      const [first, last] = editor.words
      const repair = await failSaves(page, 'offline')
      await field.fill(first)
      await isFailed(page)
      await page
        .getByRole('alert')
        .getByText(/cannot be reached/)
        .waitFor()
      await away(page).click()
      await answer(page, 'Cancel')
      t.equal(await field.inputValue(), first, 'a link asks')
      await back(page, editor)
      await answer(page, 'Cancel')
      t.match(page.url(), editor.path(`${editor.folder}-away`).split('?')[0], 'Back asks')
      const [dialog] = await Promise.all([
        page.waitForEvent('dialog'),
        page.evaluate('setTimeout(() => location.reload())')
      ])
      t.equal(dialog.type(), 'beforeunload', 'a reload asks')
      await dialog.dismiss()
      await repair()
      await field.fill(last)
      await isSaved(page)
      t.equal(await saved(), last)
    }
  )

  test(
    `${editor.folder}: a viewer who is signed out keeps the words`,
    browserOptions,
    async (t) => {
      const { page, field, saved } = await edit(t, editor, 'out')
      const repair = await failSaves(page, { status: 401 })
      await field.fill(editor.words[0])
      await page
        .getByRole('alert')
        .getByText(/You are signed out/)
        .waitFor()
      t.equal(await field.inputValue(), editor.words[0])
      await repair()
      await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click()
      await isSaved(page)
      t.equal(await saved(), editor.words[0])
    }
  )

  test(
    `${editor.folder}: a slow save is waited for, and asked about`,
    browserOptions,
    async (t) => {
      const { page, field, saved } = await edit(t, editor, 'slow')
      const arrived: (() => void)[] = []
      await page.route('**/admin/mailer/api/**', async (route, request) => {
        if (request.method() === 'PATCH')
          await new Promise<void>((resolve) => arrived.push(resolve))
        await route.fallback()
      })
      await field.fill(editor.words[1])
      await away(page).click()
      await question(page).getByRole('heading', { name: 'Leave without saving?' }).waitFor()
      await answer(page, 'Cancel')
      for (const arrive of arrived) arrive()
      await isSaved(page)
      t.equal(await saved(), editor.words[1])
    }
  )

  test(
    `${editor.folder}: two tabs never overwrite each other silently`,
    browserOptions,
    async (t) => {
      const { page, field, platform, saved, slug } = await edit(t, editor, 'tabs')
      await editor.other(platform, slug)
      const theirs = await saved()
      await field.fill(editor.words[1])
      await page.getByText('Another user changed this draft').waitFor()
      t.equal(await saved(), theirs, 'the first change of a page carries a revision')
      t.equal(await field.inputValue(), editor.words[1])
      await page.getByRole('button', { name: 'Keep mine' }).click()
      await isSaved(page)
      t.equal(await saved(), editor.words[1])
      await editor.other(platform, slug)
      await field.fill(editor.words[0])
      await page.getByRole('button', { name: 'Load theirs' }).click()
      await isSaved(page)
      t.equal(await field.inputValue(), theirs)
    }
  )
}

/** Pages that use the draft of the kit, or a class that extends it. */
function pagesWithDrafts(): readonly string[] {
  const folder = fileURLToPath(new URL('../../../', import.meta.url))
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(({ name, parentPath }) => name.endsWith('.ts') && isPage(parentPath))
    .map(({ name, parentPath }) => join(parentPath, name))
  const using = files.filter((path) => /\bDraft<|extends Draft\b/.test(readFileSync(path, 'utf8')))
  return [...new Set(using.map((path) => basename(dirname(path))))].sort()
}

const isPage = (folder: string) =>
  folder.split(sep).includes('pages') && !/node_modules|[\\/]dist([\\/]|$)/.test(folder)

test('every page with a draft is tested here', async (t) => {
  t.same(pagesWithDrafts(), EDITORS.map(({ folder }) => folder).sort())
})
