// Folders side by side that import one another are found.
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
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

test('lint runs the rules of the house, which end with 1 on a knot made on purpose', async (t) => {
  const root = fileURLToPath(new URL('../../..', import.meta.url))
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  t.match(scripts.lint, 'node .build/house-rules.mjs')
  const copy = t.testdir({
    'CONTRIBUTING.md': '',
    shop: { 'package.json': JSON.stringify({ name: '@x/shop' }) }
  })
  cpSync(join(root, '.build'), join(copy, '.build'), { recursive: true })
  for (const { path, text } of modules(knot)) {
    mkdirSync(dirname(join(copy, path)), { recursive: true })
    writeFileSync(join(copy, path), text)
  }
  execFileSync('git', ['init', '--quiet'], { cwd: copy })
  const script = join(copy, '.build', 'house-rules.mjs')
  const { status, stderr } = spawnSync(process.execPath, [script], { encoding: 'utf8' })
  t.equal(status, 1)
  t.match(stderr, 'a knot of folders:\n  shop/cart imports shop/till')
})
