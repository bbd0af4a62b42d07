// Prints every page that is made from sources: schemas, references, errors, API reports.
// Usage: npm run reference
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { apiReport } from './reference/api-report.mjs'
import { contractsPage } from './reference/contracts-page.mjs'
import { CODED, codeTable, errorsPage, protocolTable } from './reference/errors-page.mjs'
import { operationTypes } from './reference/operation-types.mjs'
import { optionsPage } from './reference/options-page.mjs'
import { schemaSections } from './reference/schema-page.mjs'
import { transpile } from './transpile.mjs'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const PRINTED = 'This page is printed by `npm run reference`.'

/** The built module of a source, as `sdk/errors.ts`. */
const built = (folder, source) =>
  import(pathToFileURL(join(ROOT, folder, 'dist', source.replace(/\.ts$/, '.js'))).href)

/** `ERRORS.md` of each deliverability plugin, with what prints it. */
function deliverabilityErrors() {
  const parent = 'plugins/deliverability'
  return Object.fromEntries(
    readdirSync(join(ROOT, parent))
      .map((name) => `${parent}/${name}`)
      .filter((folder) => existsSync(join(ROOT, folder, 'errors.ts')))
      .map((folder) => {
        const { name } = JSON.parse(readFileSync(join(ROOT, folder, 'plugin.json'), 'utf8'))
        return [`${folder}/ERRORS.md`, () => pluginErrorsPage(folder, name)]
      })
  )
}

/** `STORAGE.md` and `PERMISSIONS.md` of each of our plugins, with what prints them from `plugin.json`. */
function sheets() {
  const pages = ['plugins', 'plugins/deliverability']
    .flatMap((parent) => readdirSync(join(ROOT, parent)).map((name) => `${parent}/${name}`))
    .filter((folder) => existsSync(join(ROOT, folder, 'plugin.json')))
    .flatMap((folder) =>
      ['STORAGE.md', 'PERMISSIONS.md'].map((name) => [
        `${folder}/${name}`,
        async () => (await sheetsOf(folder))[name]
      ])
    )
  return Object.fromEntries(pages)
}

/** `custom-elements.json` of each plugin with pages for other sites, with what prints it from `plugin.json`. */
function elementManifests() {
  const parents = ['plugins', 'plugins/deliverability', 'examples']
  const folders = parents
    .flatMap((parent) => readdirSync(join(ROOT, parent)).map((name) => `${parent}/${name}`))
    .filter((folder) => existsSync(join(ROOT, folder, 'plugin.json')))
    .filter((folder) => {
      const { pages = [] } = readJson(`${folder}/plugin.json`)
      return pages.some(({ embed = true }) => embed)
    })
  return Object.fromEntries(
    folders.map((folder) => [`${folder}/custom-elements.json`, () => elementsOf(folder)])
  )
}

async function elementsOf(folder) {
  const { elementsManifest } = await built('ui-components/build', 'elements-manifest.ts')
  return elementsManifest(readJson(`${folder}/plugin.json`))
}

const readJson = (path) => JSON.parse(readFileSync(join(ROOT, path), 'utf8'))

/** `plugin.json` of each of our plugins, with the entries of the operations of its code. */
function manifests() {
  const parents = ['plugins', 'plugins/deliverability', 'examples', 'examples/platform']
  const folders = parents
    .flatMap((parent) => readdirSync(join(ROOT, parent)).map((name) => `${parent}/${name}`))
    .filter((folder) => existsSync(join(ROOT, folder, 'plugin.json')))
  return Object.fromEntries(
    folders.map((folder) => [`${folder}/plugin.json`, () => manifestOf(folder)])
  )
}

async function manifestOf(folder) {
  const text = readFileSync(join(ROOT, folder, 'plugin.json'), 'utf8')
  const manifest = JSON.parse(text)
  const { loadDefinition } = await built('kernel', 'manifest/read.ts')
  const { printManifest, withServedOperations } = await built('kernel', 'cli/write-operations.ts')
  const definition = await loadDefinition(join(ROOT, folder), manifest)
  const wanted = withServedOperations(manifest, definition)
  return JSON.stringify(wanted) === JSON.stringify(manifest) ? text : printManifest(wanted)
}

async function sheetsOf(folder) {
  const { printSheets } = await built('kernel', 'cli/sheets.ts')
  return printSheets(JSON.parse(readFileSync(join(ROOT, folder, 'plugin.json'), 'utf8')))
}

/** What prints each file, by its path. Sources must be transpiled. */
export const PAGES = {
  'plugin-manifest.schema.json': async () => (await printSchemas()).manifestSchemaText(),
  'sdk/keelson.config.schema.json': async () => (await printSchemas()).configSchemaText(),
  'sdk/reference/config.md': configPage,
  'sdk/reference/manifest.md': manifestPage,
  'sdk/reference/register-options.md': () => optionsPage(join(ROOT, 'kernel')),
  'sdk/reference/contracts.md': () => contractsPage(ROOT),
  'sdk/ERRORS.md': sdkErrorsPage,
  'kernel/ERRORS.md': kernelErrorsPage,
  'local-mongo/ERRORS.md': engineErrorsPage,
  'plugins/telemetry/ERRORS.md': () => pluginErrorsPage('plugins/telemetry', 'telemetry'),
  'plugins/telemetry-dashboard/ERRORS.md': () =>
    pluginErrorsPage('plugins/telemetry-dashboard', 'the telemetry dashboard'),
  'plugins/oauth/ERRORS.md': oauthErrorsPage,
  'plugins/mailer/ERRORS.md': () => pluginErrorsPage('plugins/mailer', 'the mailer'),
  'plugins/programs/ERRORS.md': () => pluginErrorsPage('plugins/programs', 'programs'),
  'plugins/agent/ERRORS.md': () => pluginErrorsPage('plugins/agent', 'the agent API'),
  'plugins/mailer/contracts/operation-types.ts': mailerOperationTypes,
  ...manifests(),
  ...deliverabilityErrors(),
  ...sheets(),
  ...elementManifests(),
  'sdk/api.md': () => apiReport(join(ROOT, 'sdk')),
  'kernel/api.md': () => apiReport(join(ROOT, 'kernel')),
  'ui-components/api.md': () => apiReport(join(ROOT, 'ui-components'))
}

/** Paths of the files that differ from what their sources print. */
export async function outdatedPages() {
  const outdated = []
  for (const [path, print] of Object.entries(PAGES)) {
    const file = join(ROOT, path)
    if (!existsSync(file) || readFileSync(file, 'utf8') !== (await print())) outdated.push(path)
  }
  return outdated
}

const printSchemas = () => built('sdk', 'manifest/print-schema.ts')

async function configPage() {
  const { configSchema } = await built('sdk', 'manifest/config-schema.ts')
  const sections = schemaSections(configSchema, { root: 'The file' })
  return `# keelson.config.json

What runs, where, and with what settings. The kernel's option \`config\` takes this object or the path of a file.
In an editor, \`"$schema": "./node_modules/@keelson/sdk/keelson.config.schema.json"\` completes and checks the keys.
${PRINTED}

**Placeholders.** Any string may hold \`\${NAME}\` or \`\${NAME:default}\`: the value of an environment variable, and
the default when the variable is empty or not set. \`$\${NAME}\` stays \`\${NAME}\`. Where another type is expected the
text is converted: \`"enabled": "\${TELEMETRY:true}"\`. A variable that is not set and has no default is an error.

**As a module.** \`keelson.config.js\` (or \`.ts\` from Node 22.18 on) exports \`defineConfig({ … })\` of \`@keelson/sdk\`
by default: the same keys, and \`use\`, a list of plugins in code.

${sections.join('\n')}`
}

async function manifestPage() {
  const { manifestSchema } = await built('sdk', 'manifest/schema.ts')
  const sections = schemaSections(manifestSchema, { root: 'The file' })
  return `# plugin.json

What a plugin declares. An unknown key is an error. In an editor,
\`"$schema": "./node_modules/@keelson/sdk/plugin-manifest.schema.json"\` completes and checks the keys.
${PRINTED}

${sections.join('\n')}`
}

async function kernelErrorsPage() {
  const { errorSections, headings, retiredCodes } = await built('kernel', 'errors/errors.ts')
  return errorsPage({
    title: 'Errors of the kernel',
    intro: `${CODED} ${PRINTED}`,
    sections: Object.entries(errorSections).map(([name, rows]) => ({
      heading: headings[name],
      rows
    })),
    retired: retiredCodes
  })
}

async function sdkErrorsPage() {
  const { sdkErrorTable } = await built('sdk', 'define-plugin.ts')
  const { indexErrorTable } = await built('sdk', 'storage/index-errors.ts')
  const { fetchErrorRows } = await built('sdk', 'network/fetch-errors.ts')
  return errorsPage({
    title: 'Errors of the SDK',
    intro: `${CODED} ${PRINTED}`,
    sections: [
      { heading: 'Plugins', rows: sdkErrorTable },
      { heading: 'Collections and indexes', rows: indexErrorTable },
      { heading: 'Outbound calls', rows: fetchErrorRows }
    ]
  })
}

async function pluginErrorsPage(folder, name) {
  const { errorTable } = await built(folder, 'errors.ts')
  const sections = [{ heading: 'Errors', rows: errorTable }]
  return errorsPage({ title: `Errors of ${name}`, intro: `${CODED} ${PRINTED}`, sections })
}

async function mailerOperationTypes() {
  const { adminOperations } = await built('plugins/mailer', 'admin/admin-operations.ts')
  return operationTypes(adminOperations, 'MailerOperationTypes')
}

async function oauthErrorsPage() {
  const { oauthErrorTable } = await built('plugins/oauth', 'oauth-errors.ts')
  const own = await pluginErrorsPage('plugins/oauth', 'OAuth')
  const words =
    'Answers to clients carry the codes of the OAuth standards. Where a description is empty, it depends on the request.'
  return `${own}\n## Answers to clients\n\n${words}\n\n${protocolTable(oauthErrorTable)}\n`
}

async function engineErrorsPage() {
  const { ERROR_CODES } = await built('local-mongo', 'errors.ts')
  const { EXIT_IN_USE, EXIT_USAGE } = await built('local-mongo', 'lifecycle/exit-codes.ts')
  return `# Errors of local-mongo

The engine answers with the codes and names of MongoDB: drivers and tools read them as they read a server's. An
error that MongoDB gives a number alone is \`Location<number>\`. ${PRINTED}

## Exit codes of the command

| code | meaning |
| --- | --- |
| 0 | Ended by a signal, or the command is done. |
| 1 | Failed; the reason is on stderr. |
| ${EXIT_USAGE} | The command line is invalid. |
| ${EXIT_IN_USE} | Another process serves the data folder. |

## Codes of commands

${codeTable(ERROR_CODES)}
`
}

async function write() {
  transpile(ROOT)
  for (const path of await outdatedPages()) {
    mkdirSync(dirname(join(ROOT, path)), { recursive: true })
    writeFileSync(join(ROOT, path), await PAGES[path]())
    console.log(`printed ${path}`)
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await write()
