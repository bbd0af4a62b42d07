// Labels and heads of the pages in a browser: words with a capital, and no raw keys.

import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { QueryError } from '@keelson/telemetry'
import { textsOf } from '@keelson/ui/testing'
import type { Page } from 'playwright-core'
import { test } from 'tap'
import { noBrowser, openPage, settled } from './browser.ts'
import { PLATFORM } from './fake-store.ts'
import { sampleRows, sampleStore } from './sample-store.ts'
import { systemAnswers } from './sample-system.ts'

const skip = noBrowser ?? false
const rows = sampleRows(900, Date.now())
const EVENTS = new Set(rows.map(({ name }) => name))

/** Heads of columns and labels of tiles, without those that are drawn empty. */
const labelsOf = async (page: Page): Promise<readonly string[]> => {
  const heads = await textsOf(page.locator('keelson-table th:not(.visually-hidden)'))
  const tiles = await textsOf(page.locator('keelson-stat [part=label]'))
  return [...heads, ...tiles].map((text) => text.trim()).filter((text) => text !== '')
}

/** A first letter in upper case, and no key of the registry. `p95` is written so everywhere, names of events too. */
const isInWords = (label: string): boolean =>
  EVENTS.has(label) || (/^(\p{Lu}|p\d\d\b)/u.test(label) && !/_|\w\.\w|Ms\b/.test(label))

test('labels of tiles and heads of columns are words', { skip }, async (t) => {
  for (const [id, query, wanted] of [
    ['system', '', 'Sampled out'],
    ['events', '?name=http.request&by=attr:route', 'Route'],
    ['events', '?name=http.request', 'Duration, median'],
    ['events', '?name=llm.tokens&measure=cost_usd', 'Cost (USD)'],
    ['usage', '?by=attr:model', 'Model'],
    ['usage', '', 'Billed'],
    ['errors', '', 'Issue'],
    ['traces', '?by=attr:route', 'Route'],
    ['overview', '', 'Name'],
    ['journeys', '?rollup=spend', 'Cost (USD), total']
  ] as const) {
    const { page, close } = await openPage({
      store: sampleStore(rows, systemAnswers()),
      page: id,
      query,
      viewer: PLATFORM
    })
    t.teardown(close)
    await page.getByText(wanted, { exact: true }).first().waitFor({ state: 'attached' })
    await settled(page)
    const labels = await labelsOf(page)
    const at = `${id}${query}`
    t.ok(labels.includes(wanted), `${at}: ${wanted} among ${labels.join(' | ')}`)
    t.same(
      labels.filter((label) => !isInWords(label)),
      [],
      at
    )
  }
})

test('files are saved by buttons that say what they do', { skip }, async (t) => {
  const recordFile = (_scope: string, { format }: { readonly format: string }) => {
    if (format === 'json') throw new QueryError('a file has at most 5 records: narrow the range')
    return Readable.from(['of the store'])
  }
  const { page, close } = await openPage({ store: sampleStore(rows, { recordFile }) })
  t.teardown(close)
  for (const format of ['CSV', 'JSON']) {
    const button = page.getByRole('button', { name: `Download all rows as ${format}` })
    await button.first().waitFor()
    t.equal((await button.first().innerText()).trim(), format)
  }
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download all rows as CSV' }).last().click()
  const file = await saved
  t.match(file.suggestedFilename(), /\.csv$/)
  t.equal(await readFile(await file.path(), 'utf8'), 'of the store')
  await page.getByRole('button', { name: 'Download all rows as JSON' }).last().click()
  await page.getByText('a file has at most 5 records').waitFor()
})
