// Flows in a browser, before the real server.
import { browserOptions, closeBrowser, faultsInEveryLook, holdAnswers } from '@keelson/ui/testing'
import type { Page } from 'playwright-core'
import tap, { type Test, test } from 'tap'
import { openMail, type PagePlatform, people, sharedPlatform } from './page-host.ts'
import { publish } from './platform-mailer.ts'

tap.teardown(closeBrowser)
const platformOf = sharedPlatform(tap, { people: people(3) })

const BRANCHING = [
  { type: 'send', templateSlug: 'welcome' },
  { type: 'wait', value: 1, unit: 'days' },
  {
    type: 'branch',
    test: { hasTag: 'beta' },
    ifTrueSteps: [{ type: 'tag', addTags: ['early'] }],
    ifFalseSteps: [{ type: 'exit', reason: 'not_beta' }]
  },
  { type: 'condition', test: { hasTag: 'beta' }, ifFalse: 'exit' }
]

let prepared: Promise<void> | undefined

/** The template that flows send, and subscribed contacts. */
async function prepare(platform: PagePlatform): Promise<void> {
  await publish(platform, { slug: 'welcome', kind: 'marketing' })
  for (const id of ['c1', 'c2', 'c3'])
    await platform.admin('POST', `/contacts/${id}/resubscribe`, {})
}

/** A flow with a draft, and the template that it sends. */
async function flow(platform: PagePlatform, slug: string, steps: readonly object[]): Promise<void> {
  prepared ??= prepare(platform)
  await prepared
  const trigger = { eventName: 'signed_up' }
  await platform.admin('POST', '/flows', { slug, name: `Flow ${slug}`, trigger })
  await platform.admin('PATCH', `/flows/${slug}/draft`, { steps })
}

async function open(t: Test, slug: string, steps: readonly object[], query = '') {
  const opened = await openMail(t, platformOf)
  await flow(opened.platform, slug, steps)
  await opened.show(`flow/${slug}${query}`)
  await opened.page.locator('.canvas .is-start').waitFor()
  return opened
}

const card = (page: Page, path: string) => page.locator(`[data-path="${path}"]`)
const draftOf = async ({ admin }: PagePlatform, slug: string) =>
  (await admin('GET', `/flows/${slug}`)).body.draft?.steps
const saved = (page: Page) => page.getByText('Saved', { exact: true }).waitFor()
/** Answers a question with yes. */
const confirmed = (page: Page, name: string) =>
  page.locator('keelson-confirm').getByRole('button', { name, exact: true }).click()
/** Editing is loaded after the canvas is drawn. */
const editable = (page: Page) => page.locator('.canvas[data-editable]').waitFor()
const focused = (page: Page) =>
  page.evaluate(`(() => {
    let at = document.activeElement
    while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement
    return at?.getAttribute('data-path') ?? null
  })()`)

test('a flow is made with the keyboard, and its page opens', browserOptions, async (t) => {
  const { page, show, faults } = await openMail(t, platformOf)
  await show('flows')
  await page.getByRole('link', { name: 'New flow' }).first().waitFor()
  await page.keyboard.press('n')
  await page.getByLabel('Name', { exact: true }).fill('Welcome series')
  await page.getByLabel('Event', { exact: true }).fill('signed_up')
  await page.keyboard.press('Enter')
  await page.waitForURL(/flow\/welcome-series$/)
  await page.getByRole('link', { name: 'Add step' }).waitFor()
  t.equal(await page.locator('h1').textContent(), 'Welcome series')
  t.same(faults, [])
})

test('a slug that is taken is refused in the dialog', browserOptions, async (t) => {
  const { page, show, platform } = await openMail(t, platformOf)
  await flow(platform, 'taken', [])
  await show('flows?dialog=new')
  await page.getByLabel('Name', { exact: true }).fill('Taken')
  await page.getByLabel('Event', { exact: true }).fill('signed_up')
  await page.getByRole('button', { name: 'Create flow' }).click()
  await page.getByRole('alert').getByText('There is a flow taken already.').waitFor()
  t.match(page.url(), /dialog=new/)
})

test('arrows move along the lines and between arms', browserOptions, async (t) => {
  const { page } = await open(t, 'arrows', BRANCHING)
  await editable(page)
  await card(page, '0').focus()
  const paths: unknown[] = []
  const keys = ['Down', 'Down', 'Down', 'Right', 'Down', 'Up']
  for (const key of keys) {
    await page.keyboard.press(`Arrow${key}`)
    paths.push(await focused(page))
  }
  t.same(paths, ['1', '2', '2.true.0', '2.false.0', '3', '2.true.0'])
})

test(
  'a step is added, changed, moved, removed and brought back by key',
  browserOptions,
  async (t) => {
    const { page, platform, faults } = await open(t, 'keys', BRANCHING)
    await editable(page)
    await card(page, '0').focus()
    await page.keyboard.press('a')
    await page.getByRole('button', { name: /^Wait Minutes/ }).click()
    await page.waitForURL(/step=1/)
    await page.getByLabel('Amount').fill('5')
    await page.getByLabel('Amount').press('Tab')
    await saved(page)
    t.match((await draftOf(platform, 'keys'))[1], { type: 'wait', value: 5, unit: 'days' })
    await card(page, '1').focus()
    await page.keyboard.press('Alt+ArrowUp')
    await saved(page)
    await page.waitForURL(/step=0/)
    t.equal(await focused(page), '0')
    await page.keyboard.press('Delete')
    await page.getByText('Step removed').waitFor()
    await saved(page)
    t.equal((await draftOf(platform, 'keys')).length, BRANCHING.length)
    await page.keyboard.press('Control+z')
    await card(page, '0').getByText('5 days').waitFor()
    await saved(page)
    t.equal((await draftOf(platform, 'keys')).length, BRANCHING.length + 1)
    t.same(faults, [])
  }
)

test('an edit by another editor is not overwritten silently', browserOptions, async (t) => {
  const { page, platform } = await open(t, 'both', [{ type: 'wait', value: 1, unit: 'days' }])
  await editable(page)
  await card(page, '0').click()
  await platform.admin('PATCH', '/flows/both/draft', {
    steps: [{ type: 'exit', reason: 'theirs' }]
  })
  await page.getByLabel('Amount').fill('9')
  await page.getByLabel('Amount').press('Tab')
  await page.getByRole('alert').getByText('Another user changed this draft').waitFor()
  t.match(await draftOf(platform, 'both'), [{ type: 'exit' }])
  await page.getByRole('button', { name: 'Load theirs' }).click()
  await card(page, '0').getByText('theirs').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await card(page, '0').getByText('9 days').waitFor()
  await saved(page)
  t.match(await draftOf(platform, 'both'), [{ type: 'wait', value: 9 }])
})

test(
  'a draft that cannot be published marks the step, a mended one goes live',
  browserOptions,
  async (t) => {
    const { page, platform } = await open(t, 'publish', [{ type: 'send', templateSlug: 'missing' }])
    await editable(page)
    await page.getByRole('link', { name: 'Publish v1' }).click()
    await page.locator('.diff .added').getByText('missing').waitFor()
    await page.getByRole('button', { name: 'Publish v1' }).click()
    await page
      .getByRole('alert')
      .getByText(/missing is not published/)
      .waitFor()
    await page.keyboard.press('Escape')
    await card(page, '0')
      .getByText(/missing is not published/)
      .waitFor()
    await card(page, '0').click()
    await page.getByLabel('Template').selectOption('welcome')
    await saved(page)
    await page.getByRole('link', { name: 'Publish v1' }).click()
    await page.getByRole('button', { name: 'Publish v1' }).click()
    await page.getByText('Live v1').waitFor()
    t.match((await platform.admin('GET', '/flows/publish')).body, { version: 1, enabled: true })
    await page.getByText('More', { exact: true }).click()
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByText('Paused v1').waitFor()
  }
)

test(
  'a step is appended by the button behind the last one, and labels count steps',
  browserOptions,
  async (t) => {
    const { page, platform } = await open(t, 'appended', [{ type: 'wait', value: 1, unit: 'days' }])
    await editable(page)
    await page.getByRole('link', { name: 'Add a step before step 1', exact: true }).waitFor()
    await page.getByRole('link', { name: 'Add a step at the end', exact: true }).click()
    await page.getByRole('button', { name: /^Tag / }).click()
    await page.waitForURL(/step=1/)
    await saved(page)
    t.match(await draftOf(platform, 'appended'), [{ type: 'wait' }, { type: 'tag' }])
    t.equal(await focused(page), '1', 'the focus is on the step that was added')
    await page.keyboard.press('Escape')
    t.equal(await focused(page), '1', 'Escape leads from the panel to its card')
    await card(page, '0').focus()
    await page.keyboard.press('a')
    t.match(
      new URL(page.url()).searchParams.get('add'),
      '1',
      'A adds behind the card with the focus'
    )
  }
)

test(
  'what is missing is said on its card and locks Publish with the reason',
  browserOptions,
  async (t) => {
    const steps = [
      { type: 'wait', value: 1, unit: 'days' },
      { type: 'branch', test: { hasTag: '' }, ifTrueSteps: [], ifFalseSteps: [] }
    ]
    const { page } = await open(t, 'locked', steps)
    await editable(page)
    await card(page, '1').getByText('choose a field and a value').waitFor()
    const publish = page.getByRole('link', { name: 'Publish v1' })
    t.equal(await publish.getAttribute('aria-disabled'), 'true')
    t.match(await publish.getAttribute('title'), 'Step 2, Branch: choose a field and a value')
    await page.getByRole('link', { name: 'Step 2, Branch: choose a field and a value' }).click()
    await page.waitForURL(/step=1/)
    await page.locator('.rule input').first().fill('beta')
    await page.getByText('Not ready to publish').waitFor({ state: 'detached' })
    t.equal(await publish.getAttribute('aria-disabled'), null)
  }
)

test('a step is dragged to another place by mouse and by finger', browserOptions, async (t) => {
  const steps = [
    { type: 'wait', value: 1, unit: 'days' },
    { type: 'tag', addTags: ['a'] },
    { type: 'wait', value: 2, unit: 'hours' }
  ]
  const { page, platform } = await open(t, 'dragged', steps)
  await editable(page)
  const middle = async (selector: string) => {
    const box = await page.locator(selector).first().boundingBox()
    if (box === null) throw new Error(`${selector} is not drawn`)
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  }
  const types = async () =>
    (await draftOf(platform, 'dragged')).map((one: { type: string }) => one.type)
  const grip = await middle('[data-path="0"] .glyph')
  const end = await middle('[data-place="3"]')
  await page.mouse.move(grip.x, grip.y)
  await page.mouse.down()
  await page.mouse.move(end.x, end.y, { steps: 5 })
  await page.locator('[data-place="3"].drop').waitFor()
  await page.mouse.up()
  await page.locator('[data-path="0"].is-tag').waitFor()
  await saved(page)
  t.same(await types(), ['tag', 'wait', 'wait'])
  t.equal(new URL(page.url()).searchParams.get('step'), null, 'a drag is not a click')
  const finger = await middle('[data-path="0"] .glyph')
  const last = await middle('[data-place="3"]')
  const devtools = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: { x: number; y: number }) =>
    devtools.send('Input.dispatchTouchEvent', { type, touchPoints: at === undefined ? [] : [at] })
  await touch('touchStart', finger)
  await touch('touchMove', { x: finger.x, y: finger.y + 20 })
  await touch('touchMove', last)
  await page.locator('[data-place="3"].drop').waitFor()
  await touch('touchEnd')
  await page.locator('[data-path="2"].is-tag').waitFor()
  await saved(page)
  t.same(await types(), ['wait', 'wait', 'tag'])
})

test(
  'the menu closes with what is chosen, a click elsewhere and Escape',
  browserOptions,
  async (t) => {
    const { page } = await open(t, 'menu', [{ type: 'exit' }])
    await editable(page)
    const isOpen = () =>
      page.locator('details.more').evaluate((one: HTMLDetailsElement) => one.open)
    const more = page.getByText('More', { exact: true })
    await more.click()
    await page.keyboard.press('Escape')
    t.equal(await isOpen(), false)
    await more.click()
    await page.locator('dl.figures').click()
    t.equal(await isOpen(), false)
    await more.click()
    await page.locator('.menu a').first().click()
    await page.waitForURL(/dialog=settings/)
    t.equal(await isOpen(), false)
    await page.getByLabel('Name', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByLabel('Name', { exact: true }).waitFor({ state: 'detached' })
    t.ok(await more.evaluate((one) => one.matches(':focus')), 'the focus returns to its button')
  }
)

test('a simulation draws the path of a contact and how it ends', browserOptions, async (t) => {
  const { page } = await open(t, 'simulated', BRANCHING, '?sim=c1')
  const strip = page.getByRole('region', { name: 'Simulation' })
  await strip.getByText('Exits: not_beta').waitFor()
  await strip.getByText('Takes No: does not have tag beta').waitFor()
  t.equal(await page.locator('.canvas .step.on[data-path]').count(), 4)
  t.match(await card(page, '2.false.0').getAttribute('class'), /\bon\b/)
  t.notMatch(await card(page, '2.true.0').getAttribute('class'), /\bon\b/)
  await strip.getByRole('link', { name: 'Previous stop' }).click()
  await strip.getByText('3 of 4').waitFor()
  t.match(page.url(), /stop=2/)
  await page.locator('#simulated').fill('c99')
  await page.keyboard.press('Enter')
  await strip.getByRole('alert').getByText('There is no contact c99.').waitFor()
})

test('a simulation that ends at once says so', browserOptions, async (t) => {
  const { page } = await open(t, 'at-once', [{ type: 'exit' }], '?sim=c1')
  const strip = page.getByRole('region', { name: 'Simulation' })
  await strip.getByText('at once, with 0 mails. Nothing is sent.').waitFor()
  t.pass()
})

test('the canvas is zoomed, and the address says so', browserOptions, async (t) => {
  const { page } = await open(t, 'zoomed', BRANCHING)
  await editable(page)
  const width = () => card(page, '0').evaluate((one) => one.getBoundingClientRect().width)
  const before = await width()
  await page.getByRole('link', { name: 'Zoom in' }).click()
  await page.waitForURL(/zoom=125/)
  await page.getByText('125%').waitFor()
  t.equal(await width(), before * 1.25)
  await page.getByRole('link', { name: 'Zoom out' }).press('Enter')
  await page.getByText('100%').waitFor()
  await page.getByRole('link', { name: 'Zoom out' }).press('Enter')
  await page.waitForURL(/zoom=75/)
  await page.getByText('75%').waitFor()
  t.equal(await width(), before * 0.75)
})

test('pausing a flow asks what becomes of the people in it, and its contacts show the reason', {
  ...browserOptions
}, async (t) => {
  const { page, platform, show } = await open(t, 'stopped', [
    { type: 'wait', value: 5, unit: 'days' }
  ])
  await platform.admin('POST', '/flows/stopped/publish', {})
  await platform.acts.fire('signed_up', 'c2', {}, 'stopped c2')
  await platform.clock.advance(1000)
  await page.reload()
  const pause = async () => {
    await page.getByText('More', { exact: true }).click()
    await page.getByRole('button', { name: 'Pause', exact: true }).click()
  }
  await editable(page)
  await pause()
  const dialog = page.locator('keelson-dialog')
  await dialog.getByText('Pause with 1 person in the flow?').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  // The flow is there before its counts.
  const release = await holdAnswers(page, '**/flows/stopped/counts*')
  await page.reload()
  await pause()
  release()
  await dialog.getByText('Pause with 1 person in the flow?').waitFor()
  t.ok(await page.getByRole('radio', { name: /^Let people finish/ }).isChecked())
  await page.getByRole('radio', { name: /^Stop everybody now/ }).check()
  await dialog.getByRole('button', { name: 'Pause', exact: true }).click()
  await page.getByText('Paused. 1 run ended.').waitFor()
  const { body } = await platform.admin('GET', '/flows/stopped/runs')
  t.match(body, [{ externalId: 'c2', status: 'exited', exitReason: 'flow_stopped' }])
  await show('contact/c2')
  await page.getByText('Left flow Flow stopped').waitFor()
  await page.getByText('The flow was stopped for everybody').waitFor()
})

test('a pause whose answer is lost is shown all the same', browserOptions, async (t) => {
  const { page, platform } = await open(t, 'lost', [{ type: 'exit' }])
  await platform.admin('POST', '/flows/lost/publish', { enable: true })
  await page.reload()
  await page.getByText('Live v1').waitFor()
  await editable(page)
  await page.route('**/flows/lost/pause', async (route) => {
    await route.fetch()
    await route.fulfill({ status: 500, json: {} })
  })
  await page.getByText('More', { exact: true }).click()
  await page.getByRole('button', { name: 'Pause', exact: true }).click()
  await page.getByText('The server answered 500.').waitFor()
  await page.getByText('Paused v1').waitFor()
  t.pass()
})

test('an event that was never sent is doubted where it is named, with the nearest names', {
  ...browserOptions
}, async (t) => {
  const { page, platform, show } = await open(t, 'doubted', [
    { type: 'wait', value: 5, unit: 'days' }
  ])
  await platform.acts.fire('signed_up', 'c3', {}, 'doubted c3')
  await show('flow/doubted?dialog=settings')
  const event = page.getByLabel('Event', { exact: true })
  await event.fill('signed_upp')
  await page
    .getByText(/^signed_upp was never sent\. Did you mean signed_up \(\d+ in 30 days\)\?$/)
    .waitFor()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.waitForURL((url) => !url.search.includes('dialog'))
  await show('flow/doubted?dialog=publish')
  await page
    .locator('keelson-dialog')
    .getByText(/^signed_upp was never sent/)
    .waitFor()
  await show('flow/doubted?dialog=settings')
  await event.fill('signed_up')
  t.equal(await page.getByText(/was never sent/).count(), 0)
})

test('runs are counted at their step, stopped and skipped', browserOptions, async (t) => {
  const steps = [{ type: 'wait', value: 1, unit: 'days' }, { type: 'exit' }]
  const opened = await openMail(t, platformOf)
  const { page, platform, show } = opened
  await flow(platform, 'counted', steps)
  await platform.admin('POST', '/flows/counted/publish', {})
  for (const id of ['c2', 'c3']) await platform.acts.fire('signed_up', id, {}, `counted ${id}`)
  await platform.clock.advance(2000)
  const { flows } = platform.mailer.getRunnerContext().collections
  const notEntered = { unsubscribed: 9, suppressed: 3 }
  const triggerScan = { of: 'it', number: 1, isDone: true, isBaseline: false, notEntered }
  await flows.updateOne({ slug: 'counted' }, { $set: { triggerScan } })
  await show('flow/counted')
  await card(page, '0').getByText('2 waiting').waitFor()
  await card(page, '0').getByText('2 entered').waitFor()
  await page.getByRole('link', { name: 'Runs', exact: true }).click()
  await page
    .getByText(
      '12 contacts did not enter when the trigger looked last: unsubscribed (9), address suppressed (3).'
    )
    .waitFor()
  await page.locator('tr[data-id]').nth(1).waitFor()
  await page.locator('tr[data-id]').first().click()
  await page.getByRole('button', { name: 'Stop run' }).click()
  await confirmed(page, 'Stop run')
  await page.getByText('Run stopped').waitFor()
  t.equal((await platform.admin('GET', '/flows/counted/counts')).body.totals.active, 1)
})

test(
  'versions show what each changed, and an earlier one is published again',
  browserOptions,
  async (t) => {
    const { page, platform, show } = await openMail(t, platformOf)
    await flow(platform, 'versions', [{ type: 'exit', reason: 'first' }])
    await platform.admin('POST', '/flows/versions/publish', {})
    await platform.admin('PATCH', '/flows/versions/draft', {
      steps: [{ type: 'exit', reason: 'second' }]
    })
    await platform.admin('POST', '/flows/versions/publish', {})
    await show('flow/versions?tab=versions')
    const lines = page.locator('.diff [role=listitem]')
    await lines.nth(1).waitFor()
    t.same(await lines.allTextContents(), [
      ' Started by: signed_up · every time',
      '−Removed: Exit: first',
      '+Added: Exit: second'
    ])
    await page.getByRole('link', { name: /^Version 1/ }).click()
    await page.getByRole('button', { name: 'Publish v1 again' }).click()
    await confirmed(page, 'Publish v1 again')
    await page.getByText('Live v3').waitFor()
  }
)

test(
  'the trigger of a live flow is changed in its draft, and the publish says what changes',
  browserOptions,
  async (t) => {
    const { page, platform, show } = await openMail(t, platformOf)
    await flow(platform, 'started', [{ type: 'wait', value: 1, unit: 'days' }])
    await platform.admin('POST', '/flows/started/publish', {})
    await platform.acts.fire('signed_up', 'c1', {}, 'started c1')
    await platform.clock.advance(2000)
    await show('flow/started?dialog=settings')
    await page.getByText('Counts of v1').waitFor()
    await page.getByLabel('Event', { exact: true }).fill('opened')
    await page.getByLabel('Only once per contact').check()
    await page.getByLabel('Goal', { exact: true }).fill('Reply')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.waitForURL(/flow\/started$/)
    await page.locator('.canvas .is-start').getByText('opened').waitFor()
    const { body } = await platform.admin('GET', '/flows/started')
    t.match(body, { version: 1, trigger: { eventName: 'signed_up', once: false } })
    await page.getByRole('link', { name: 'Publish v2' }).click()
    const lines = page.locator('.diff [role=listitem]')
    await lines.nth(3).waitFor()
    t.same(await lines.allTextContents(), [
      '−Removed: Started by: signed_up · every time',
      '+Added: Started by: opened · once per contact',
      '+Added: Goal: Reply',
      ' Wait: 1 day'
    ])
    await page.getByRole('button', { name: 'Publish v2' }).click()
    await page.getByText('Live v2').waitFor()
    t.match((await platform.admin('GET', '/flows/started')).body, {
      version: 2,
      goal: 'Reply',
      draft: null,
      trigger: { eventName: 'opened', once: true }
    })
    await card(page, '0').getByText('no runs of v2 here').waitFor()
  }
)

test(
  'a flow that cannot be read says so, one that is missing leads back',
  browserOptions,
  async (t) => {
    const { page, show } = await openMail(t, platformOf)
    await show('flow/nowhere')
    await page.getByText('Flow not found').waitFor()
    t.equal(
      await page.getByRole('link', { name: 'Back to flows' }).getAttribute('href'),
      '/admin/mailer/flows'
    )
    await page.route('**/admin/mailer/api/flows', (route) =>
      route.fulfill({ status: 503, json: {} })
    )
    await show('flows')
    await page.getByRole('alert').first().waitFor()
    t.notOk(await page.getByText('No flows yet').isVisible(), 'a failure is not an empty list')
  }
)

test('the flow pages pass axe and do not scroll sideways', browserOptions, async (t) => {
  const opened = await openMail(t, platformOf)
  const { page, platform, show } = opened
  await flow(platform, 'looked-at', BRANCHING)
  await show('flows')
  await page.locator('tr[data-id]').first().waitFor()
  t.same(await faultsInEveryLook(page), [], 'list')
  for (const query of [
    '',
    '?step=2',
    '?sim=c1',
    '?add=1',
    '?dialog=publish',
    '?dialog=settings',
    '?tab=runs'
  ]) {
    await show(`flow/looked-at${query}`)
    if (query.startsWith('?tab')) await page.getByText('No runs').waitFor()
    else await editable(page)
    if (query === '?sim=c1') await page.getByText('Exits: not_beta').first().waitFor()
    t.same(await faultsInEveryLook(page), [], query)
  }
})
