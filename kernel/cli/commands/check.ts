// keelson check: what is wrong with a plugin, without starting it.
import { resolve } from 'node:path'
import { checkPlugin } from '../check-plugin.ts'
import type { Command } from '../command.ts'

export const check: Command = {
  name: 'check',
  summary: 'Check a plugin: its manifest, its budgets, and that every file it names is there.',
  details:
    'Loads the main module as a host would. STORAGE.md and PERMISSIONS.md, when they are there, must agree with plugin.json.',
  positionals: '[dir]',
  options: {
    write: { type: 'boolean', description: 'Print STORAGE.md and PERMISSIONS.md from plugin.json.' }
  },
  async run(context, { args: [dir = '.'], options }) {
    const folder = resolve(context.cwd, dir)
    const problems = await checkPlugin(folder, { write: options['write'] === true })
    const ok = problems.length === 0
    const text = ok
      ? `${dir}: all is well.`
      : problems
          .map((problem) => `${problem.code} ${problem.path}\n  ${problem.message}`)
          .join('\n')
    return { text, json: { ok, problems }, failed: !ok }
  }
}
