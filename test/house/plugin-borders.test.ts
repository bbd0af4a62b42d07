// A plugin that imports the inside of another one is found, and the list of exceptions only gets shorter.
import { test } from 'tap'

interface Module {
  readonly path: string
  readonly text: string
}
interface Exception {
  readonly of: string
  readonly why: string
}

// Seen from test/dist/house.
const file = new URL('../../../.build/plugin-borders.mjs', import.meta.url)
const { pluginBorders, OWN_IMPORTS } = (await import(file.href)) as {
  pluginBorders(
    modules: readonly Module[],
    plugins: readonly { readonly name: string; readonly folder: string }[],
    own?: Readonly<Record<string, Exception>>
  ): string[]
  OWN_IMPORTS: Readonly<Record<string, Exception>>
}

const plugins = [
  { name: '@keelson/shop', folder: 'plugins/shop' },
  { name: '@keelson/cellar', folder: 'plugins/cellar' }
]
const found = (text: string, path = 'plugins/shop/till/pay.ts') =>
  pluginBorders([{ path, text }], plugins, {})

for (const [name, text] of [
  ['a value', "import { pour } from '@keelson/cellar'"],
  ['a type', "import type { Bottle } from '@keelson/cellar'"],
  ['several names', "import {\n  pour,\n  type Bottle\n} from '@keelson/cellar'"],
  ['an export', "export { pour } from '@keelson/cellar'"],
  ['another entry', "import { sampleBottle } from '@keelson/cellar/testing'"],
  ['an import in code', "const cellar = await import('@keelson/cellar')"]
] as const) {
  test(`a reach into another plugin is found: ${name}`, async (t) => {
    t.match(found(text), [
      /^plugins\/shop\/till\/pay\.ts: imports @keelson\/cellar.* contracts alone$/
    ])
  })
}

for (const [name, text, path] of [
  ['contracts of another plugin', "import { cellar } from '@keelson/cellar/contracts'"],
  ['its own package', "import { till } from '@keelson/shop'"],
  ['the SDK', "import { definePlugin } from '@keelson/sdk'"],
  ['a host', "import { pour } from '@keelson/cellar'", 'examples/platform/start.ts']
] as const) {
  test(`no reach: ${name}`, async (t) => {
    t.same(found(text, path), [])
  })
}

test('an exception has a reason, and one that is not needed is to go', async (t) => {
  const own = {
    'plugins/shop/': { of: '@keelson/cellar', why: 'the shop is the front of the cellar' }
  }
  const reach = { path: 'plugins/shop/pay.ts', text: "import { pour } from '@keelson/cellar'" }
  t.same(pluginBorders([reach], plugins, own), [])
  t.match(pluginBorders([{ ...reach, text: '' }], plugins, own), [/delete the exception/])
  t.ok(Object.values(OWN_IMPORTS).every(({ why }) => why.length > 20))
})
