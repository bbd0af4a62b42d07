// Entries of the navigation have an icon: every one that a manifest of ours names is drawn by the shell.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'tap'

const drawn = readFileSync('ui-components/shell/nav-icons.ts', 'utf8')
const manifests = execFileSync('git', ['ls-files', '*plugin.json'], { encoding: 'utf8' })
  .split('\n')
  .filter((path) => path !== '')

test('every icon that a manifest names is drawn', (t) => {
  const named = manifests.flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/"icon": "([^"]+)"/g)].map(([, icon]) => ({
      path,
      icon
    }))
  )
  t.ok(named.length > 25, `${named.length} icons`)
  t.same(
    named.filter(({ icon }) => !drawn.includes(`\n  ${icon}:`)),
    []
  )
  t.end()
})
