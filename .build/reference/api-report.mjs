// Prints the API report of a package: every export of every public entry, as its declaration.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { openSources } from './sources.mjs'

const ERROR_ROW =
  /\{\s+readonly message: "(?:[^"\\]|\\.)*";\s+readonly remedy: "(?:[^"\\]|\\.)*";\s+readonly status: (\d+);\s+\}/g

/** The report of the package in `folder` as Markdown. */
export function apiReport(folder) {
  const { name, exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const sources = openSources(folder)
  try {
    const parts = entriesOf(folder, exports).map(({ specifier, file }) =>
      entry(`${name}${specifier.slice(1)}`, sources.exportsOf(file), folder)
    )
    return `# The API of ${name}\n\nEvery export of every public entry, printed from the sources by \`npm run reference\`. Do not edit.\n\n${parts.join('\n')}`
  } finally {
    sources.close()
  }
}

/** The source behind each entry of `exports` that has types: `./dist/x.d.ts` comes from `x.ts`. */
export function entriesOf(folder, exports) {
  return Object.entries(exports).flatMap(([specifier, { types }]) => {
    if (types === undefined) return []
    const file = types.replace('./dist/', '').replace(/\.d\.ts$/, '.ts')
    if (!file.includes('*')) return existsSync(join(folder, file)) ? [{ specifier, file }] : []
    const [before, after] = file.split('*')
    return readdirSync(join(folder, before))
      .filter((name) => name.endsWith(after) && !name.includes('.test.'))
      .sort()
      .map((name) => ({
        specifier: specifier.replace('*', name.slice(0, -after.length)),
        file: `${before}${name}`
      }))
  })
}

function entry(specifier, exported, folder) {
  const [own, foreign] = split(exported, ({ file }) => isBelow(folder, file))
  const others = foreign.map(({ name, file }) => `export { ${name} } from '${packageOf(file)}';`)
  const declared = own.map(({ print }) => withoutRows(print()))
  return `## ${specifier}\n\n\`\`\`ts\n${[...others.sort(), ...declared.sort(byName)].join('\n\n')}\n\`\`\`\n`
}

/** ERRORS.md holds the sentences; here the codes and statuses are enough. */
function withoutRows(text) {
  return text.replace(ERROR_ROW, 'ErrorRow & { status: $1 }')
}

/** By the declared name, so that a type does not move when it becomes an interface. */
function byName(a, b) {
  const nameOf = (text) => /(?:class|const|function|interface|type) (\w+)/.exec(text)?.[1] ?? text
  return nameOf(a) < nameOf(b) ? -1 : 1
}

function split(list, test) {
  return [list.filter(test), list.filter((item) => !test(item))]
}

function isBelow(folder, file) {
  const path = relative(folder, file)
  return !path.startsWith('..') && !path.includes('node_modules')
}

function packageOf(file) {
  const [, found] = /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules)/.exec(file) ?? []
  return found ?? file
}
