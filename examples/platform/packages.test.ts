// The packages of the demo: its package.json names all that its config starts.
import { readFileSync } from 'node:fs'
import { test } from 'tap'

const readJson = (name: string) =>
  JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8'))

test('the demo depends on every package that its config starts', (t) => {
  const { plugins } = readJson('keelson.config.json') as {
    plugins: Record<string, { package: string }>
  }
  const { dependencies } = readJson('package.json')
  const started = Object.values(plugins)
    .map((entry) => entry.package)
    .filter((name) => name.startsWith('@'))
  t.ok(started.includes('@keelson/dmarc'))
  t.same(
    started.filter((name) => !(name in dependencies)),
    []
  )
  t.end()
})
