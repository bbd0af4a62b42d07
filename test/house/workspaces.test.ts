// What may be published, and what examples teach: held over all workspaces.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { test } from 'tap'

// Seen from test/dist/house.
const root = new URL('../../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')

interface PackageJson {
  readonly name: string
  readonly private?: boolean
  readonly files?: readonly string[]
  readonly customElements?: string
}

const { workspaces } = JSON.parse(read('package.json')) as { workspaces: readonly string[] }
const packages = workspaces.map((folder) => ({
  folder,
  ...(JSON.parse(read(`${folder}/package.json`)) as PackageJson)
}))

test('examples and tests are private, and what is published has the scope', async (t) => {
  for (const { folder, name, private: isPrivate } of packages) {
    if (/^(examples|test)\//.test(folder)) t.equal(isPrivate, true, folder)
    else t.match(name, /^@keelson\//, folder)
  }
})

test('what is published packs no tests', async (t) => {
  for (const { folder, files = [], private: isPrivate } of packages) {
    if (isPrivate === true) continue
    t.ok(files.includes('!dist/**/*.test.*'), folder)
    if (existsSync(new URL(`${folder}/test`, root)) && folder !== 'ui-components') {
      t.ok(files.includes('!dist/test') || files.includes('!dist/**/test'), folder)
    }
  }
})

test('a package with pages for other sites ships a manifest of their elements', async (t) => {
  const name = 'custom-elements.json'
  for (const { folder, files = [], customElements } of packages) {
    if (files.length === 0 || !existsSync(new URL(`${folder}/plugin.json`, root))) continue
    const { pages = [] } = JSON.parse(read(`${folder}/plugin.json`)) as {
      pages?: readonly { readonly element: string; readonly embed?: boolean }[]
    }
    const elements = pages.filter(({ embed = true }) => embed).map(({ element }) => element)
    const expected = elements.length > 0 ? name : undefined
    t.same([customElements, files.find((file) => file === name)], [expected, expected], folder)
    if (expected === undefined) continue
    const { modules } = JSON.parse(read(`${folder}/${name}`)) as {
      modules: readonly { declarations: readonly { tagName: string }[] }[]
    }
    t.same(
      modules.map(({ declarations }) => declarations[0]?.tagName),
      elements,
      folder
    )
  }
})

test('of its test folder @keelson/ui packs what its entry for tests of pages loads', async (t) => {
  const { files = [] } = packages.find(({ folder }) => folder === 'ui-components') ?? {}
  const left = files.flatMap((file) => /^!dist\/test\/(.+)\*$/.exec(file)?.[1] ?? [])
  const packed = readdirSync(new URL('ui-components/test', root)).filter(
    (name) => !name.includes('.test.') && !left.some((start) => name.startsWith(start))
  )
  const loaded = new Set<string>()
  const visit = (name: string) => {
    if (loaded.has(name)) return
    loaded.add(name)
    for (const [, next = ''] of read(`ui-components/test/${name}`).matchAll(/from '\.\/(.+?)'/g)) {
      visit(next)
    }
  }
  visit('browser.ts')
  t.same(packed.sort(), [...loaded].sort())
})

/** Fastify waits without limit for a request that does not arrive whole, unless `requestTimeout` is set. */
const HOSTS = [
  'examples/platform/main.ts',
  'examples/minimal-host/host.ts',
  'kernel/cli/dev-host.ts'
]

test('every host of ours ends requests that do not arrive', async (t) => {
  const started = workspaces
    .filter((folder) => folder.startsWith('examples/'))
    .flatMap((folder) =>
      readdirSync(new URL(folder, root))
        .filter((name) => /\.(ts|mjs|js)$/.test(name) && !name.endsWith('.test.ts'))
        .map((name) => `${folder}/${name}`)
    )
    .filter((path) => /\bFastify\(/.test(read(path)))
  for (const path of new Set([...HOSTS, ...started])) t.match(read(path), /requestTimeout/, path)
})
