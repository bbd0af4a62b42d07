// keelson build: a plugin's TypeScript and pages into its dist folder, its operations into plugin.json.
import { resolve } from 'node:path'
import { KeelsonError, type Manifest } from '@keelson/sdk'
import { errors } from '../../errors/errors.ts'
import { checkManifest } from '../../manifest/check.ts'
import { loadDefinition, readManifest } from '../../manifest/read.ts'
import { joined } from '../../platform/validate.ts'
import type { Command } from '../command.ts'
import { buildLines, findBuild } from '../plugin-build.ts'
import { writeOperations } from '../write-operations.ts'

export const build: Command = {
  name: 'build',
  summary: 'Build a plugin: its TypeScript, and its pages for the shell and for other sites.',
  details:
    'Transpiles into dist/ without checking types, and bundles pages/<id>/page.ts of each page into dist/browser/. Writes the entries of operations into plugin.json. Only what changed is built. Sizes are after gzip. Needs the package @keelson/ui-build.',
  positionals: '[dir]',
  async run(context, { args: [dir = '.'] }) {
    const folder = resolve(context.cwd, dir)
    const checked = checkManifest(await readManifest(folder), folder)
    if (!checked.ok) throw joined(checked.problems)
    const buildPlugin = findBuild(folder)
    if (buildPlugin === undefined) throw errors.KRN_CLI_BUILD_MISSING({ folder })
    const first = await buildPlugin()
    const plugin = checked.manifest.id
    const operations = await writeServed(folder, checked.manifest)
    // The code reads plugin.json from dist.
    const built = operations.isWritten ? await buildPlugin() : first
    const lines = [...buildLines(built), ...operations.lines]
    const text = lines.length === 0 ? `${plugin}: nothing to build.` : lines.join('\n')
    return { text, json: { plugin, ...built } }
  }
}

/** Code that cannot be loaded leaves plugin.json as it is: `keelson check` says what is wrong with it. */
async function writeServed(folder: string, manifest: Manifest) {
  try {
    const definition = await loadDefinition(folder, manifest)
    const isWritten = await writeOperations(folder, manifest, definition)
    return { isWritten, lines: isWritten ? ['plugin.json: operations written'] : [] }
  } catch (error) {
    if (!KeelsonError.is(error)) throw error
    return { isWritten: false, lines: [`plugin.json: operations not written. ${error.message}`] }
  }
}
