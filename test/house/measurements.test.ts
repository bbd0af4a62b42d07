// The measurements do not run with the tests, so what they load by path is looked up here.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { test } from 'tap'

// Seen from test/dist/house.
const root = new URL('../../../', import.meta.url)
const folder = new URL('test/bench/', root)

const loadedBy = (file: string) =>
  [...readFileSync(new URL(file, folder), 'utf8').matchAll(/insideMailer\('(.+?)\.js'\)/g)].map(
    ([, path]) => `plugins/mailer/${path}.ts`
  )

test('every part of the mailer that a measurement loads by path exists', async (t) => {
  const loaded = readdirSync(folder)
    .filter((name) => name.endsWith('.ts'))
    .flatMap(loadedBy)
  t.ok(loaded.length > 0)
  t.same(
    loaded.filter((path) => !existsSync(new URL(path, root))),
    []
  )
})
