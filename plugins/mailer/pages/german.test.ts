// The German texts of the mail pages: as many as the English ones, with the same placeholders.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Messages } from '@keelson/ui'
import { test } from 'tap'
import { adminRefusalWords } from '../ledger/refusals.ts'
import { messages as refusals } from './refusals.de.ts'

const words = new Set(adminRefusalWords)
const here = import.meta.dirname
const files = readdirSync(here, { recursive: true, encoding: 'utf8' })
  .filter((path) => /texts\.js$/.test(path))
  .sort()

const placeholders = (message: unknown) =>
  [...new Set(JSON.stringify(message).match(/\{\w+\}/g))].sort()
const forms = (message: unknown) => (typeof message === 'string' ? [] : Object.keys(message ?? {}))

test('each file of texts has its German one', async (t) => {
  t.ok(files.length > 20, `${files.length} files`)
  for (const path of files) {
    const { texts } = (await import(join(here, path))) as { texts: Messages }
    const { messages } = (await import(join(here, path.replace(/\.js$/, '.de.js')))) as {
      messages: Messages
    }
    t.same(Object.keys(messages), Object.keys(texts), `${path}: the same keys in the same order`)
    for (const [key, message] of Object.entries(texts)) {
      t.same(placeholders(messages[key]), placeholders(message), `${path}: ${key}`)
      t.same(forms(messages[key]), forms(message), `${path}: forms of ${key}`)
    }
  }
})

test('each German refusal is one of the admin API', async (t) => {
  for (const key of Object.keys(refusals)) t.ok(words.has(key.replace('code.', '')), key)
})
