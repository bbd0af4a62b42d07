// Bringing an old scaffold up to date.
import { test } from 'tap'
import { kindOf, planUpdate, withNote } from './update.ts'

const text = (value: object) => `${JSON.stringify(value, null, 2)}\n`
const packages = (more: object = {}) =>
  text({
    name: 'mine',
    files: ['plugin.json', 'dist'],
    scripts: { test: 'node --test' },
    peerDependencies: { '@keelson/sdk': '^0.1.0', mongodb: '^7.0.0' },
    devDependencies: { '@keelson/sdk': '^0.1.0', lit: '^3.0.0' },
    ...more
  })
const old = withNote(
  { 'package.json': packages(), 'tsconfig.json': 'old options', '.gitignore': 'dist/\n' },
  'plugin'
)
const fresh = withNote(
  {
    'package.json': packages({
      customElements: 'custom-elements.json',
      files: ['custom-elements.json', 'plugin.json', 'dist'],
      scripts: { test: 'node --test new', types: 'tsc' },
      peerDependencies: { '@keelson/sdk': '^0.2.0', mongodb: '^7.9.0' },
      devDependencies: { '@keelson/sdk': '^0.2.0', lit: '^3.3.0', undici: '^7.0.0' }
    }),
    'tsconfig.json': 'new options',
    '.gitignore': 'dist/\n*.log\n',
    '.github/workflows/ci.yml': 'steps',
    'index.ts': 'the code of the template'
  },
  'plugin'
)

test('unchanged files become those of today, and package.json gets what it lacks', async (t) => {
  const { written, kept } = planUpdate(old, fresh)
  t.same(kept, [])
  t.same(Object.keys(written).sort(), [
    '.github/workflows/ci.yml',
    '.gitignore',
    'package.json',
    'tsconfig.json'
  ])
  const { keelson: _, ...updated } = JSON.parse(written['package.json'] ?? '')
  t.same(updated, {
    name: 'mine',
    files: ['custom-elements.json', 'plugin.json', 'dist'],
    scripts: { test: 'node --test', types: 'tsc' },
    peerDependencies: { '@keelson/sdk': '^0.2.0', mongodb: '^7.0.0' },
    devDependencies: { '@keelson/sdk': '^0.2.0', lit: '^3.0.0', undici: '^7.0.0' },
    customElements: 'custom-elements.json'
  })
})

test('a file that the author changed stays and is named, now and the next time', async (t) => {
  const mine = { ...old, 'tsconfig.json': 'my options' }
  const first = planUpdate(mine, fresh)
  t.same(first.kept, ['tsconfig.json'])
  const second = planUpdate({ ...mine, ...first.written }, fresh)
  t.same(second, { written: {}, kept: ['tsconfig.json'] })
})

test('an update that is done changes nothing, and folders of a clone stay', async (t) => {
  const local = packages({ devDependencies: { '@keelson/sdk': 'file:../sdk' } })
  const mine = withNote({ 'package.json': local }, 'plugin')
  const { written } = planUpdate(mine, fresh)
  t.match(JSON.parse(written['package.json'] ?? ''), {
    devDependencies: { '@keelson/sdk': 'file:../sdk' }
  })
  t.same(planUpdate({ ...mine, ...written }, fresh), { written: {}, kept: [] })
})

test('the kind is noted', async (t) => {
  t.equal(kindOf(old), 'plugin')
  t.equal(kindOf({ 'package.json': packages() }), undefined)
})
