// Prints the reference page of the contracts between plugins from sdk/contracts and the manifests.
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
  const folder = join(root, 'sdk')
  const manifests = manifestsOf(root)
  const sources = openSources(folder)
  try {
    const files = readdirSync(join(folder, 'contracts')).filter(
      (name) => name.endsWith('.ts') && !name.includes('.test.') && name !== 'contract.ts'
    )
    const found = await Promise.all(
      files.map(async (file) => {
        const built = join(folder, 'dist', 'contracts', file.replace(/\.ts$/, '.js'))
        const contracts = Object.entries(await import(pathToFileURL(built).href))
        // A module of types that several contracts share.
        if (contracts.length === 0) return []
        return entry({
          file,
          contracts,
          manifests,
          folder,
          exported: sources.exportsOf(`contracts/${file}`)
        })
      })
    )
    const entries = found.flat()
    const toc = entries.map(
      ({ id, kind, words }) => `| [${id}](#${anchor(id)}) | ${kind} | ${words} |`
    )
    const list = `| id | kind | what |\n| --- | --- | --- |\n${toc.sort().join('\n')}`
    const sections = entries.sort((a, b) => (a.id < b.id ? -1 : 1)).map(({ text }) => text)
    return `# Contracts\n\n${INTRO}\n\n${list}\n\n${sections.join('\n')}`
  } finally {
    sources.close()
  }
}

function manifestsOf(root) {
  return ['plugins', 'plugins/deliverability']
    .flatMap((parent) => readdirSync(join(root, parent)).map((name) => join(root, parent, name)))
    .map((folder) => join(folder, 'plugin.json'))
    .filter((file) => existsSync(file))
    .map((file) => JSON.parse(readFileSync(file, 'utf8')))
}

/** A contract's module exports one contract object, and the types around it. */
function entry({ file, folder, contracts, manifests, exported }) {
  const [name, contract] = contracts.find(([, value]) => typeof value?.id === 'string')
  const { id, kind } = contract
  const module = `@keelson/sdk/contracts/${file.replace(/\.ts$/, '')}`
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
    words: headline(join(folder, 'contracts', file), id),
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
