// keelson dev: runs the plugin or platform of this folder, and again after each change.
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { errors } from '../../errors/errors.ts'
import type { Command } from '../command.ts'
import { readDevProject } from '../dev-project.ts'
import { superviseHost } from '../supervise.ts'
import { watchFolders } from '../watch.ts'

const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost'])

export const dev: Command = {
  name: 'dev',
  summary: 'Run the plugin or platform of this folder, and start it again after each change.',
  details:
    'Listens on HOST (127.0.0.1) and PORT (3000). Unless a plugin provides auth.viewer/v1, whoever looks is an admin. With --json, one line for each start, stop and change.',
  positionals: '[dir]',
  async run(context, { args: [dir = '.'], signal }) {
    const cwd = resolve(context.cwd, dir)
    const project = await readDevProject({ cwd, env: context.env })
    const { HOST: host = '127.0.0.1' } = context.env
    if (!project.hasViewers && !LOOPBACK.has(host)) throw errors.KRN_CLI_NOT_LOOPBACK({ host })
    const watcher = watchFolders(project.watched)
    try {
      await superviseHost({
        script: fileURLToPath(new URL('../dev-host.js', import.meta.url)),
        args: [JSON.stringify(project)],
        cwd,
        env: { ...context.env, KEELSON_DEV: '1' },
        signal,
        nextChange: watcher.nextChange,
        report: ({ text, ...event }) => context.say(text, event)
      })
    } finally {
      watcher.close()
    }
    return { text: '', json: { event: 'ended' } }
  }
}
