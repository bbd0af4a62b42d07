// keelson build: a plugin's TypeScript and pages into its dist folder.
import { resolve } from 'node:path'
import { errors } from '../../errors/errors.ts'
import { checkManifest } from '../../manifest/check.ts'
import { readManifest } from '../../manifest/read.ts'
import { joined } from '../../platform/validate.ts'
import type { Command } from '../command.ts'
import { buildLines, findBuild } from '../plugin-build.ts'

export const build: Command = {
  name: 'build',
  summary: 'Build a plugin: its TypeScript, and its pages for the shell and for other sites.',
  details:
    'Transpiles into dist/ without checking types, and bundles pages/<id>/page.ts of each page into dist/browser/. Only what changed is built. Sizes are after gzip. Needs the package @keelson/ui-build.',
  positionals: '[dir]',
  async run(context, { args: [dir = '.'] }) {
    const folder = resolve(context.cwd, dir)
    const checked = checkManifest(await readManifest(folder), folder)
    if (!checked.ok) throw joined(checked.problems)
    const buildPlugin = findBuild(folder)
    if (buildPlugin === undefined) throw errors.KRN_CLI_BUILD_MISSING({ folder })
    const built = await buildPlugin()
    const plugin = checked.manifest.id
    const lines = buildLines(built)
    const text = lines.length === 0 ? `${plugin}: nothing to build.` : lines.join('\n')
    return { text, json: { plugin, ...built } }
  }
}
