// A test of one folder is beside its source; `test/` holds what spans folders.
import { test } from 'tap'

// Seen from test/dist/house.
const file = new URL('../../../.build/test-places.mjs', import.meta.url)
const { misplacedTests } = (await import(file.href)) as {
  misplacedTests(modules: readonly { readonly path: string; readonly text: string }[]): string[]
}

const found = (text: string, path = 'plugins/shop/test/sum.test.ts') =>
  misplacedTests([{ path, text }])

test('a test in test/ that imports from one folder alone is found', async (t) => {
  t.same(found("import { sum } from '../till/sum.ts'\nimport { errors } from '../errors.ts'\n"), [
    'plugins/shop/test/sum.test.ts: it tests plugins/shop/till alone, so it belongs beside its source'
  ])
})

for (const [name, text, path] of [
  ['imports from two folders', "import '../till/sum.ts'\nimport '../cart/add.ts'\n"],
  ['runs the whole package', "import '../till/sum.ts'\nimport plugin from '../plugin.ts'\n"],
  ['shares what is in test/', "import '../till/sum.ts'\nimport { open } from './open-shop.ts'\n"],
  ['runs a file of the package', "import '../till/sum.ts'\nfork(import.meta.url)\n"],
  ['is beside its source', "import './sum.ts'\n", 'plugins/shop/till/sum.test.ts']
] as const) {
  test(`a test that ${name} stays`, async (t) => {
    t.same(found(text, path), [])
  })
}
