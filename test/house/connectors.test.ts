// Each connector of docs/connectors.md has a source, and a test that registers it and signs a person in.
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'tap'

const REGISTRATION = 'plugins/oauth/test/registration.test.ts'
const registered = readFileSync(REGISTRATION, 'utf8')

interface Row {
  readonly name: string
  readonly needs: string
  readonly heldBy: readonly string[]
}

/** The rows of the first table: connector, needs, what it finds, held by. */
function rowsOf(page: string): readonly Row[] {
  const [table = ''] = page.split('| connector |').slice(1)
  const [lines = ''] = table.split('\n\n')
  return lines
    .split('\n')
    .slice(2)
    .map((line) => {
      const [, name = '', needs = '', , tests = ''] = line.split('|')
      const heldBy = [...tests.matchAll(/`([^`]+)`/g)].map(([, path = '']) =>
        path.includes('/') ? path : `plugins/oauth/test/${path}`
      )
      return { name: name.replace(/ \(.*\)/, '').trim(), needs, heldBy }
    })
}

const rows = rowsOf(readFileSync('docs/connectors.md', 'utf8'))

test('each connector of the page has a source and is registered by a test', (t) => {
  t.ok(rows.length > 7, `${rows.length} rows`)
  for (const { name, needs, heldBy } of rows) {
    t.match(needs, /\]\(https:\/\//, `the source of ${name}`)
    t.ok(heldBy.includes(REGISTRATION), `${name} names the test of registrations`)
    t.ok(registered.includes(`['${name}', `) || registered.includes(`'${name}',\n`), name)
    for (const path of heldBy) t.ok(existsSync(path), path)
  }
  t.end()
})
