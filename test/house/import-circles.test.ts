// Circles of imports are found however the modules import one another.
import { test } from 'tap'

interface Module {
  readonly path: string
  readonly text: string
}
interface Package {
  readonly name: string
  readonly folder: string
  readonly exports?: Readonly<Record<string, unknown>>
}

// Seen from test/dist/house.
const file = new URL('../../../.build/import-circles.mjs', import.meta.url)
const { importCircles } = (await import(file.href)) as {
  importCircles(modules: readonly Module[], packages: readonly Package[]): string[][]
}

const modules = (texts: Readonly<Record<string, string>>): Module[] =>
  Object.entries(texts).map(([path, text]) => ({ path, text }))

test('a chain of imports without a way back has no circle', async (t) => {
  const chain = modules({
    'a/one.ts': "import { two } from './two.ts'\n",
    'a/two.ts': "import { three } from '../b/three.ts'\n",
    'b/three.ts': 'export const three = 3\n'
  })
  t.same(importCircles(chain, []), [])
})

test('the shortest circle is reported as a path', async (t) => {
  const circle = modules({
    'a/one.ts': "import { two } from './two.ts'\nimport { far } from './far.ts'\n",
    'a/far.ts': "import { two } from './two.ts'\n",
    'a/two.ts': "export { one } from './one.ts'\n"
  })
  t.same(importCircles(circle, []), [['a/one.ts', 'a/two.ts', 'a/one.ts']])
})

test('imports of types, of several lines and at run time count', async (t) => {
  const circle = modules({
    'one.ts': "import type {\n  Two,\n  More\n} from './two.ts'\n",
    'two.ts': "const later = () => import('./three.ts')\n",
    'three.ts': "import './one.ts'\n"
  })
  t.same(importCircles(circle, []), [['one.ts', 'two.ts', 'three.ts', 'one.ts']])
})

test('a circle through the name of a package is found', async (t) => {
  const packages = [
    { name: '@x/sdk', folder: 'sdk', exports: { '.': { default: './dist/index.js' } } },
    { name: '@x/kernel', folder: 'kernel', exports: { './parts/*': './dist/parts/*.js' } }
  ]
  const circle = modules({
    'sdk/index.ts': "import { part } from '@x/kernel/parts/part'\n",
    'kernel/parts/part.ts': "import type { Host } from '@x/sdk'\n"
  })
  t.same(importCircles(circle, packages), [
    ['sdk/index.ts', 'kernel/parts/part.ts', 'sdk/index.ts']
  ])
})

test('each group of modules that import one another is one circle', async (t) => {
  const circles = modules({
    'one.ts': "import './two.ts'\n",
    'two.ts': "import './one.ts'\n",
    'self.ts': "import './self.ts'\n"
  })
  t.equal(importCircles(circles, []).length, 2)
})
