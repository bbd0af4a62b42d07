// keelson-filter-chips in a browser: adding, changing and removing by keyboard.
import tap, { test } from 'tap'
import { browserOptions, closeBrowser } from '../../test/browser.ts'
import { openSample as openElement, type Sample } from '../../test/element-sample.ts'

tap.teardown(closeBrowser)

const CHIPS = {
  element: 'KeelsonFilterChips',
  tag: 'keelson-filter-chips',
  events: ['keelson-filters'],
  values: {
    keys: true,
    fields: [
      { id: 'name', label: 'name', values: ['app.error', 'account.signed_up'], free: false },
      { id: 'attrs.plan', label: 'plan', values: ['free', 'pro'], negatable: true }
    ],
    filters: [
      { field: 'name', value: 'app.error' },
      { field: 'attrs.plan', value: 'pro', not: true }
    ]
  }
}

/** Opens the sample with its input loaded: the input is a separate file. */
async function openSample(...given: Parameters<typeof openElement>): Promise<Sample> {
  const sample = await openElement(...given)
  await sample.page.evaluate(async () => {
    await customElements.whenDefined('keelson-filter-input')
  })
  return sample
}

const lastOf = async (sample: Sample) =>
  JSON.parse((await sample.heard()).at(-1)?.replace('keelson-filters ', '') ?? '{}').filters

const focusedPart = (sample: Sample) =>
  sample.page.evaluate(
    () => document.querySelector('#sample')?.shadowRoot?.activeElement?.className
  )

test('chips and the open input have no accessibility faults', browserOptions, async (t) => {
  const sample = await openSample(t, CHIPS)
  t.same(await sample.faultsOfAccess(), [], 'chips')
  await sample.page.keyboard.press('f')
  t.same(await sample.faultsOfAccess(), [], 'choosing a field')
  await sample.page.keyboard.type('plan:')
  t.same(await sample.faultsOfAccess(), [], 'choosing a value')
  t.same(sample.faults, [])
})

test(
  'F opens the input; a field, then a value, chosen by arrows and Enter',
  browserOptions,
  async (t) => {
    const sample = await openSample(t, { ...CHIPS, values: { ...CHIPS.values, filters: [] } })
    await sample.page.keyboard.press('f')
    await sample.page.keyboard.press('ArrowDown')
    await sample.page.keyboard.press('Enter')
    await sample.page.getByRole('option', { name: 'pro' }).waitFor()
    await sample.page.keyboard.press('ArrowDown')
    await sample.page.keyboard.press('Enter')
    t.same(await lastOf(sample), [{ field: 'attrs.plan', value: 'pro' }])
    t.equal(await focusedPart(sample), 'add', 'the focus is back')
  }
)

test('field and value may be typed in one go, with not', browserOptions, async (t) => {
  const sample = await openSample(t, { ...CHIPS, values: { ...CHIPS.values, filters: [] } })
  await sample.page.keyboard.press('f')
  await sample.page.keyboard.type('-plan:enterprise')
  await sample.page.keyboard.press('Enter')
  t.same(await lastOf(sample), [{ field: 'attrs.plan', value: 'enterprise', not: true }])
})

test('a field that is not free takes only what is offered', browserOptions, async (t) => {
  const sample = await openSample(t, { ...CHIPS, values: { ...CHIPS.values, filters: [] } })
  await sample.page.keyboard.press('f')
  await sample.page.keyboard.type('name:signed')
  await sample.page.getByRole('option', { name: 'account.signed_up' }).waitFor()
  await sample.page.keyboard.press('Enter')
  t.same(await lastOf(sample), [{ field: 'name', value: 'account.signed_up' }])
})

test('Escape closes without a change and gives the focus back', browserOptions, async (t) => {
  const sample = await openSample(t, CHIPS)
  await sample.page.keyboard.press('f')
  await sample.page.keyboard.press('Escape')
  t.same(await sample.heard(), [])
  t.equal(await focusedPart(sample), 'add')
})

test('a chip is changed where it stands', browserOptions, async (t) => {
  const sample = await openSample(t, CHIPS)
  await sample.page.getByRole('button', { name: 'Change filter plan not pro' }).click()
  await sample.page.keyboard.type('team')
  await sample.page.getByRole('button', { name: 'is not' }).click()
  await sample.page.keyboard.press('Enter')
  t.same(await lastOf(sample), [
    { field: 'name', value: 'app.error' },
    { field: 'attrs.plan', value: 'team' }
  ])
})

test(
  'Backspace on a chip and its button remove it, and the focus moves on',
  browserOptions,
  async (t) => {
    const sample = await openSample(t, CHIPS)
    await sample.page.getByRole('button', { name: 'Change filter name app.error' }).focus()
    await sample.page.keyboard.press('Backspace')
    const left = await lastOf(sample)
    t.same(left, [{ field: 'attrs.plan', value: 'pro', not: true }])
    await sample.change({ filters: left })
    t.equal(await focusedPart(sample), 'edit')
    await sample.page.getByRole('button', { name: 'Remove filter plan not pro' }).click()
    t.same(await lastOf(sample), [])
    await sample.change({ filters: [] })
    t.equal(await focusedPart(sample), 'add')
  }
)

test('Backspace in an empty input goes back to the field', browserOptions, async (t) => {
  const sample = await openSample(t, CHIPS)
  await sample.page.keyboard.press('f')
  await sample.page.keyboard.type('plan:')
  await sample.page.keyboard.press('Backspace')
  t.equal(await sample.page.getByRole('combobox').getAttribute('aria-label'), 'Filter by')
})

test('suggestions may come from a search', browserOptions, async (t) => {
  const sample = await openSample(t, { ...CHIPS, values: { keys: true, fields: [], filters: [] } })
  await sample.page.evaluate(() => {
    const values = async (typed: string) => [`${typed}-one`, `${typed}-two`]
    Object.assign(document.querySelector('#sample') as object, {
      fields: [{ id: 'subject', label: 'subject', values }]
    })
  })
  await sample.page.keyboard.press('f')
  await sample.page.keyboard.type('subject:u')
  await sample.page.getByRole('option', { name: 'u-two' }).click()
  t.same(await lastOf(sample), [{ field: 'subject', value: 'u-two' }])
})

test('keys pressed before the input is loaded are not lost', browserOptions, async (t) => {
  const held: (() => void)[] = []
  const sample = await openElement(t, {
    ...CHIPS,
    prepare: (page) =>
      page.route('**/*.js', async (route) => {
        const response = await route.fetch()
        const isInput = (await response.text()).includes('aria-autocomplete')
        if (isInput) await new Promise<void>((go) => held.push(go))
        await route.fulfill({ response })
      })
  })
  await sample.page.keyboard.press('f')
  await sample.page.keyboard.type('plan:te')
  t.equal(held.length, 1, 'the input is not loaded yet')
  held[0]?.()
  await sample.page.getByRole('combobox').waitFor()
  t.equal(await sample.page.getByRole('combobox').inputValue(), 'te')
  await sample.page.keyboard.type('am')
  await sample.page.keyboard.press('Enter')
  t.same((await lastOf(sample)).at(-1), { field: 'attrs.plan', value: 'team' })
})

test(
  'Enter takes the option that is marked, of which the text is a part',
  browserOptions,
  async (t) => {
    const sample = await openSample(t, {
      ...CHIPS,
      values: { keys: true, fields: [], filters: [] }
    })
    await sample.page.evaluate(() => {
      const values = async () => ['shop@1.3.1', 'shop@1.3.10']
      Object.assign(document.querySelector('#sample') as object, {
        fields: [{ id: 'release', label: 'release', values }]
      })
    })
    await sample.page.keyboard.press('f')
    await sample.page.keyboard.type('release:1.3.1')
    await sample.page.getByRole('option', { name: 'shop@1.3.10' }).waitFor()
    await sample.page.locator('keelson-filter-input [role=option]').nth(2).waitFor()
    await sample.page.keyboard.press('Enter')
    t.same(await lastOf(sample), [{ field: 'release', value: 'shop@1.3.1' }])
  }
)

test(
  'values are shown and found by their words, and stored as they are',
  browserOptions,
  async (t) => {
    const sample = await openSample(t, {
      ...CHIPS,
      values: { keys: true, fields: [], filters: [{ field: 'state', value: 'hard_bounce' }] }
    })
    await sample.page.evaluate(() => {
      const texts: Record<string, string> = { hard_bounce: 'No such address', manual: 'By hand' }
      const words = (value: string) => texts[value] ?? value
      const field = { id: 'state', label: 'State', values: Object.keys(texts), free: false, words }
      Object.assign(document.querySelector('#sample') as object, { fields: [field] })
    })
    await sample.page.getByRole('button', { name: 'Change filter State No such address' }).click()
    await sample.page.keyboard.type('hand')
    await sample.page.getByRole('option', { name: 'By hand' }).waitFor()
    await sample.page.keyboard.press('Enter')
    t.same(await lastOf(sample), [{ field: 'state', value: 'manual' }])
  }
)

test('a press outside closes the input', browserOptions, async (t) => {
  const sample = await openSample(t, CHIPS)
  await sample.page.keyboard.press('f')
  await sample.page.mouse.click(500, 500)
  await sample.page.getByRole('combobox').waitFor({ state: 'detached' })
  t.same(await sample.heard(), [])
})
