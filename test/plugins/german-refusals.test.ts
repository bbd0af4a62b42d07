// What the APIs behind pages refuse has German sentences: of the page, or of all pages.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { ROOT } from '../hosts/processes.ts'

const read = (path: string): Readonly<Record<string, string>> =>
  JSON.parse(readFileSync(join(ROOT, path), 'utf8'))
const ofAll = read('ui-components/locales/refusals.de.json')

/** The module of each table of refusals, and the German words of the page that its operations are behind. */
const TABLES: Readonly<Record<string, string | undefined>> = {
  'plugins/oauth/dist/operations/refusals.js': undefined,
  'plugins/programs/dist/operations/refusals.js':
    'plugins/programs/pages/programs/refusals.de.json',
  'plugins/deliverability/dmarc/dist/operations/refusals.js':
    'plugins/deliverability/dmarc/pages/domains/refusals.de.json',
  'plugins/telemetry-dashboard/dist/refusals.js': undefined
}

type Tables = Readonly<Record<string, { readonly table?: object } | undefined>>

for (const [path, german] of Object.entries(TABLES)) {
  test(`each refusal of ${path} has a German sentence`, async (t) => {
    const module: Tables = await import(join(ROOT, path))
    const words = Object.values(module).flatMap((one) => Object.keys(one?.table ?? {}))
    t.ok(words.length > 0)
    const known = { ...ofAll, ...(german !== undefined && read(german)) }
    for (const word of words) t.ok(`code.${word}` in known, word)
  })
}

test('each word that the kernel answers with has a German sentence on every page', async (t) => {
  const { WORDS } = (await import(join(ROOT, 'kernel/dist/http/answers.js'))) as {
    readonly WORDS: Readonly<Record<number, readonly [error: string, message: string]>>
  }
  for (const [word] of Object.values(WORDS)) t.ok(`code.${word}` in ofAll, word)
})
