// What a .gitignore leaves out.
import { test } from 'tap'
import { ignoredBy } from './ignored-files.ts'

const text = `# built
dist/
*.tsbuildinfo
/data
reports/**/old
tmp?
!kept.tsbuildinfo

`

test('each form of a rule leaves out what it names, at any depth or from the folder', async (t) => {
  const isIgnored = ignoredBy(text)
  for (const path of [
    'dist',
    'dist/index.js',
    'pages/dist/a.js',
    'a.tsbuildinfo',
    'deep/a.tsbuildinfo',
    'data/x.json',
    'reports/old',
    'reports/a/b/old/c.ts',
    'tmp1/a.ts'
  ]) {
    t.equal(isIgnored(path), true, path)
  }
  for (const path of ['index.ts', 'distance.ts', 'deep/data/x.json', 'kept.tsbuildinfo', 'tmp/a']) {
    t.equal(isIgnored(path), false, path)
  }
})

test('signs of regular expressions in a rule mean themselves', async (t) => {
  const isIgnored = ignoredBy('a+(b).log')
  t.equal(isIgnored('a+(b).log'), true)
  t.equal(isIgnored('aab.log'), false)
})
