// What `prepack` refuses: a package whose package.json names files that its tarball lacks.
import { readFileSync } from 'node:fs'
import { test } from 'tap'

interface Check {
  missingEntries(manifest: object, packed: readonly string[]): readonly string[]
}
// Seen from test/dist/house.
const root = new URL('../../../', import.meta.url)
const { missingEntries } = (await import(new URL('.build/missing-entries.mjs', root).href)) as Check

const manifest = {
  customElements: 'custom-elements.json',
  bin: { tool: './cli/tool.mjs' },
  exports: {
    '.': { types: './dist/index.d.ts', default: './dist/index.js' },
    './chart': './dist/chart.js',
    './texts/*': './dist/texts/*.json'
  }
}
const whole = [
  'custom-elements.json',
  'cli/tool.mjs',
  'dist/index.d.ts',
  'dist/index.js',
  'dist/chart.js',
  'dist/texts/en.json'
]

test('a package with every file that it promises is packed', async (t) => {
  t.same(missingEntries(manifest, whole), [])
})

test('each file that is promised and missing is named, types too', async (t) => {
  for (const file of whole) {
    const missing = missingEntries(
      manifest,
      whole.filter((name) => name !== file)
    )
    t.same(missing, [file.replace('/en.', '/*.')])
  }
})

test('every package that is published asks before it is packed', async (t) => {
  const read = (path: string) => JSON.parse(readFileSync(new URL(path, root), 'utf8'))
  for (const workspace of read('package.json').workspaces as string[]) {
    const { private: isPrivate, scripts } = read(`${workspace}/package.json`)
    if (isPrivate !== true) t.match(scripts?.prepack, /\.build\/prepack\.mjs$/, workspace)
  }
})
