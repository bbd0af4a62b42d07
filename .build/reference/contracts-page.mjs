// Prints the reference page of the contracts between plugins from their modules and the manifests.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { openSources } from './sources.mjs'

const INTRO = `A contract is what one plugin offers to others under a versioned id. A plugin names the ids in its
\`plugin.json\` (\`provides\`, \`uses\`, \`extensionPoints\`) and gives the contract object to \`host\`:

- a **capability** has one provider: \`host.provide(contract, value)\` there, \`host.use(contract)\` in the others;
- an **extension point** has one owner: \`host.contributions(contract)\` there, \`host.extend(contract, contribution)\`
  in the others.

A value that does not fit is refused when it is offered. Your own contracts are made with \`defineCapability\` and
\`defineExtensionPoint\` of \`@keelson/sdk\`. This page is printed by \`npm run reference\`.`

/** The page, from the repository at `root`. Contracts in the order of their ids. */
export async function contractsPage(root) {
  const manifests = manifestsOf(root)
  const entries = []
  for (const { folder, files, module } of contractModules(root)) {
    const sources = openSources(folder)
    try {
      for (const file of files) {
        const built = join(folder, 'dist', file.replace(/\.ts$/, '.js'))
        const contracts = Object.entries(await import(pathToFileURL(built).href))
        // A module of types and words that several contracts share.
        if (!contracts.some(([, value]) => typeof value?.id === 'string')) continue
        const exported = sources.exportsOf(file)
        entries.push(entry({ file, folder, module: module(file), contracts, manifests, exported }))
      }
    } finally {
      sources.close()
    }
  }
  const toc = entries.map(
    ({ id, kind, words }) => `| [${id}](#${anchor(id)}) | ${kind} | ${words} |`
  )
  const list = `| id | kind | what |\n| --- | --- | --- |\n${toc.sort().join('\n')}`
  const sections = entries.sort((a, b) => (a.id < b.id ? -1 : 1)).map(({ text }) => text)
  return `# Contracts\n\n${INTRO}\n\n${list}\n\n${sections.join('\n')}`
}

/** Where contracts are: the kernel's own in the SDK, a plugin's in `contracts/` or `contracts.ts` of its package. */
function contractModules(root) {
  const below = (folder, parts = 'contracts') =>
    readdirSync(join(folder, parts))
      .filter((name) => name.endsWith('.ts') && !/\.test\.|^index\.ts$|^contract\.ts$/.test(name))
      .map((name) => `${parts}/${name}`)
  const sdk = {
    folder: join(root, 'sdk'),
    files: below(join(root, 'sdk')),
    module: (file) => `@keelson/sdk/${file.replace(/\.ts$/, '')}`
  }
  const plugins = pluginFolders(root).flatMap((folder) => {
    const { name } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const module = () => `${name}/contracts`
    if (existsSync(join(folder, 'contracts.ts'))) return { folder, files: ['contracts.ts'], module }
    return existsSync(join(folder, 'contracts')) ? { folder, files: below(folder), module } : []
  })
  return [sdk, ...plugins]
}

function pluginFolders(root) {
  return ['plugins', 'plugins/deliverability']
    .flatMap((parent) => readdirSync(join(root, parent)).map((name) => join(root, parent, name)))
    .filter((folder) => existsSync(join(folder, 'plugin.json')))
}

function manifestsOf(root) {
  return pluginFolders(root).map((folder) =>
    JSON.parse(readFileSync(join(folder, 'plugin.json'), 'utf8'))
  )
}

/** A contract's module exports one contract object, and the types around it. */
function entry({ file, folder, module, contracts, manifests, exported }) {
  const [name, contract] = contracts.find(([, value]) => typeof value?.id === 'string')
  const { id, kind } = contract
  const found = exported.find((one) => one.name === name)
  const types = exported.filter((one) => one !== found).map(({ source }) => source())
  const doc = found.doc.replaceAll('\n', ' ')
  const text = `## ${id}

${doc}

- Kind: ${kind.replace('-', ' ')}
- Import: \`import { ${name} } from '${module}'\`
- ${kind === 'capability' ? 'Provided by' : 'Owned by'}: ${ownersOf(contract, manifests)}
- Used by: ${usersOf(id, manifests)}

\`\`\`ts
${types.join('\n\n')}
\`\`\`
`
  return {
    id,
    kind: kind.replace('-', ' '),
    words: headline(join(folder, file), id),
    text
  }
}

/** The first line of a contract's file says what it is for. */
function headline(path, id) {
  const [line] = readFileSync(path, 'utf8').split('\n', 1)
  return line.replace(`// ${id}: `, '').replace(/^\w/, (letter) => letter.toUpperCase())
}

const anchor = (id) => id.replaceAll(/[./]/g, '')

function ownersOf({ id, kind }, manifests) {
  const key = kind === 'capability' ? 'provides' : 'extensionPoints'
  const owners = manifests.filter((manifest) => manifest[key]?.includes(id)).map(nameOf)
  if (owners.length > 0) return owners.join(', ')
  const [owner] = id.split('.')
  if (owner === 'kernel') return 'the kernel'
  return kind === 'capability' && owner === 'auth' ? "the host's sign-in plugin" : `plugin ${owner}`
}

function usersOf(id, manifests) {
  const users = manifests
    .filter(({ uses = [] }) => uses.some((use) => idOf(use) === id))
    .map(nameOf)
  return users.length === 0 ? 'plugins of yours' : `${users.join(', ')}, and plugins of yours`
}

const idOf = (use) => (typeof use === 'string' ? use : use.capability)
const nameOf = ({ id }) => `plugin ${id}`
