// The German sentences of what the admin API refuses: `npm run lint` checks the other catalogs.
import { test } from 'tap'
import { adminRefusalWords } from '../ledger/refusals.ts'
import refusals from './refusals.de.json' with { type: 'json' }

const words = new Set(adminRefusalWords)

test('each German refusal is one of the admin API', async (t) => {
  for (const key of Object.keys(refusals)) t.ok(words.has(key.replace('code.', '')), key)
})
