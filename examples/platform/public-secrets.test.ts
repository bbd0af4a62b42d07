// Which secrets of the demo have values that anyone can read.
import { readFileSync } from 'node:fs'
import { test } from 'tap'
import { PUBLIC_DEFAULTS, publicSecrets } from './public-secrets.ts'

test('a secret with its default is named, one that is set is not', async (t) => {
  t.same(publicSecrets({}), Object.keys(PUBLIC_DEFAULTS))
  const set = { ...PUBLIC_DEFAULTS, KEELSON_MAIL_SECRET: 'a secret of the operator' }
  t.notOk(publicSecrets(set).includes('KEELSON_MAIL_SECRET'))
  t.ok(publicSecrets(set).includes('KEELSON_DMARC_SECRET'))
})

test('the defaults are those of the config file', async (t) => {
  const file = new URL('../keelson.config.json', import.meta.url)
  const config = readFileSync(file, 'utf8')
  for (const [name, value] of Object.entries(PUBLIC_DEFAULTS)) {
    t.ok(config.includes(`\${${name}:${value}}`), name)
  }
})
