// Folders side by side that import one another are found.
import { test } from 'tap'

interface Module {
  readonly path: string
  readonly text: string
}
interface Package {
  readonly name: string
  readonly folder: string
}

// Seen from test/dist/house.
const file = new URL('../../../.build/folder-knots.mjs', import.meta.url)
const { folderKnots } = (await import(file.href)) as {
  folderKnots(modules: readonly Module[], packages: readonly Package[]): string[]
}

const packages = [
  { name: '@x/shop', folder: 'shop' },
  { name: '@x/cellar', folder: 'cellar' }
]
/** Modules by what each imports. */
const modules = (imports: Readonly<Record<string, readonly string[]>>): Module[] =>
  Object.entries(imports).map(([path, targets]) => ({
    path,
    text: targets.map((target) => `import '${target}'\n`).join('')
  }))
const layers = { 'shop/till/sum.ts': [], 'shop/cart/add.ts': ['../till/sum.ts'] }
const knot = { ...layers, 'shop/till/pay.ts': ['../cart/list.ts'], 'shop/cart/list.ts': [] }

test('folders whose imports lead one way pass', async (t) => {
  t.same(folderKnots(modules(layers), packages), [])
})

test('two folders that import one another fail, with a file for each way', async (t) => {
  t.same(folderKnots(modules(knot), packages), [
    'a knot of folders:\n' +
      '  shop/cart imports shop/till: shop/cart/add.ts imports shop/till/sum.ts\n' +
      '  shop/till imports shop/cart: shop/till/pay.ts imports shop/cart/list.ts'
  ])
})

test('a knot of three folders fails', async (t) => {
  const three = modules({
    'shop/a/one.ts': ['../b/one.ts'],
    'shop/b/one.ts': ['../c/one.ts'],
    'shop/c/one.ts': ['../a/two.ts'],
    'shop/a/two.ts': []
  })
  t.match(folderKnots(three, packages), [/shop\/c imports shop\/a/])
})

test('folders within a folder are layers too', async (t) => {
  const within = modules({
    'shop/cart/in/one.ts': ['../out/one.ts'],
    'shop/cart/out/one.ts': [],
    'shop/cart/out/two.ts': ['../in/two.ts'],
    'shop/cart/in/two.ts': []
  })
  t.match(folderKnots(within, packages), [/shop\/cart\/in imports shop\/cart\/out/])
})

test('files beside the folders, and other packages, belong to no folder', async (t) => {
  const around = modules({
    'shop/index.ts': ['./cart/add.ts'],
    'shop/cart/add.ts': ['../index.ts', '../../cellar/rack/one.ts'],
    'cellar/rack/one.ts': ['../../shop/cart/list.ts'],
    'shop/cart/list.ts': []
  })
  t.same(folderKnots(around, packages), [])
})
