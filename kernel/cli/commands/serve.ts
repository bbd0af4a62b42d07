// keelson serve: runs the program of a host, and again with new settings while it serves.
import { resolve } from 'node:path'
import { serve as supervise } from '../../serve/index.ts'
import type { Command } from '../command.ts'
import { findApp } from '../dev-app.ts'

export const serve: Command = {
  name: 'serve',
  summary: 'Run a host whose plugins can be enabled, disabled and configured while it serves.',
  details: [
    'Runs the program in a process of its own. When the settings of the platform change (keelson enable,',
    'keelson disable, the page Plugins), a new process starts with them; once it serves, the old one ends',
    'its requests and leaves. A process that cannot start leaves the old one as it is. SIGTERM ends all.'
  ].join('\n'),
  positionals: '<app.js>',
  async run(context, { args: [app = ''] }) {
    const { entry: script } = await findApp(resolve(context.cwd, app))
    const exitCode = await supervise({
      script,
      report: ({ text, ...event }) =>
        context.isJson ? context.say(text, { ...event, message: text }) : context.note(text)
    })
    const failed = exitCode !== 0
    return { text: '', json: { event: 'done', exitCode }, failed }
  }
}
