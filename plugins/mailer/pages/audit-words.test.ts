// The words of the audit log: every action that the sources of the mail plugins name has some.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import texts from './audit-words.en.json' with { type: 'json' }
import { auditWords } from './audit-words.ts'

/** The folder of all plugins; compiled tests are in dist. */
const PLUGINS = join(import.meta.dirname, '..', '..', '..')
const ACTION = /action(?::| =) '([a-z_]+(?:\.[a-z_-]+)+)'/g

function actionsBelow(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /(?<!\.test|\.d)\.ts$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !/\/(dist|node_modules|test|testing|stand-in)\//.test(path))
    .flatMap((path) =>
      [...readFileSync(path, 'utf8').matchAll(ACTION)].map(([, name]) => name ?? '')
    )
}

test('every action that the mail plugins write has words', async (t) => {
  const actions = ['mailer', 'programs', 'deliverability', 'agent'].flatMap((name) =>
    actionsBelow(join(PLUGINS, name))
  )
  t.ok(actions.length > 50, `${actions.length} actions`)
  const missing = new Set(actions.filter((action) => !(`audited.${action}` in texts)))
  t.same([...missing], [])
})

test('an action of another plugin stays as it is', async (t) => {
  t.equal(
    auditWords('shop.order', (key) => key),
    'shop.order'
  )
  t.equal(
    auditWords('flow.stop', () => 'Flow stopped'),
    'Flow stopped'
  )
})
