// keelson dev: runs the plugin or platform of this folder, and again after each change.
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isLoopbackHost } from '@keelson/sdk'
import { errors } from '../../errors/errors.ts'
import { exists } from '../../manifest/read.ts'
import type { Command } from '../command.ts'
import { type DevApp, declaredApp, findApp } from '../dev-app.ts'
import { buildDevPlugins, findDevBuilds } from '../dev-build.ts'
import type { DevHostArguments } from '../dev-host.ts'
import { devInApp } from '../dev-in-app.ts'
import { readSettings, readViewer } from '../dev-options.ts'
import { type DevProject, readDevProject } from '../dev-project.ts'
import { superviseHost } from '../supervise.ts'
import { watchFolders } from '../watch.ts'

export const dev: Command = {
  name: 'dev',
  summary: 'Run the plugin or platform of this folder, and start it again after each change.',
  details: [
    'Listens on HOST (127.0.0.1) and PORT (3000). A plugin in TypeScript is built before each start.',
    'Beside a plugin.json, a keelson.config.json may give the settings of the plugin and name others.',
    'Unless a plugin provides auth.viewer/v1, the developer is signed in. With --app, or in the folder of',
    'an app whose package.json has "keelson": { "app": "server.js" }, that app runs in place of a host of',
    'its own. With --json, one line for each build, start, failure, stop and change.'
  ].join('\n'),
  positionals: '[dir]',
  options: {
    config: {
      type: 'string',
      placeholder: 'FILE',
      description: 'The config file. Default: KEELSON_CONFIG, or keelson.config.json of the folder.'
    },
    set: {
      type: 'string',
      multiple: true,
      placeholder: 'PATH=VALUE',
      description: 'A setting of the plugin, over the config file: token=abc, words=\'["a"]\'.'
    },
    app: {
      type: 'string',
      placeholder: 'PATH',
      description:
        'An existing app that registers the platform: its folder, or the file that starts it. The plugin of this folder is added to its config; who is signed in, and where it listens, the app says.'
    },
    with: {
      type: 'string',
      placeholder: 'mailer',
      description:
        'Runs the mailer beside the plugin, with contacts, templates and a mailbox: see /admin/mailer, and /mailer-dev/api/mails.'
    },
    viewer: {
      type: 'string',
      placeholder: 'ROLE@TENANT',
      description: 'Who is signed in, or none. Default: admin@*, an admin who sees all tenants.'
    }
  },
  async run(context, { args: [dir = '.'], options, signal }) {
    const settings = readSettings((options['set'] ?? []) as readonly string[])
    if ('fault' in settings) return { wrongUse: settings.fault }
    const viewer = readViewer(options['viewer'] as string | undefined)
    if ('fault' in viewer) return { wrongUse: viewer.fault }
    const folder = resolve(context.cwd, dir)
    const app = await appOf(folder, options['app'] as string | undefined, context.cwd)
    if (app !== undefined) {
      const other = ['config', 'with', 'viewer'].find((name) => options[name] !== undefined)
      if (other !== undefined)
        return { wrongUse: `--${other} is not for an app: it says so itself.` }
      const isPlugin = await exists(resolve(folder, 'plugin.json'))
      const plugin = isPlugin ? folder : undefined
      await devInApp({ app, plugin, settings: settings.value }, context, signal)
      return ENDED
    }
    const named = options['config']
    const configFile = typeof named === 'string' ? resolve(context.cwd, named) : undefined
    const beside = options['with']
    if (beside !== undefined && beside !== 'mailer') {
      return { wrongUse: '--with takes mailer.' }
    }
    const withMailer = beside === 'mailer'
    const request = { folder, configFile, settings: settings.value, withMailer }
    const project = await readDevProject(request, context.env)
    const forPlugins = ['set', 'with'].find((name) => options[name] !== undefined)
    if (project.plugin === undefined && forPlugins !== undefined) {
      const instead = `Change ${project.configFile} instead.`
      return { wrongUse: `--${forPlugins} is for a plugin's folder. ${instead}` }
    }
    checkViewer(project, context.env, options['viewer'] !== undefined)
    const builds = await findDevBuilds(project)
    const built = new Set(builds.map((each) => each.folder))
    const watcher = watchFolders(
      project.watched.map((path) => ({ path, isBuilt: built.has(path) }))
    )
    const hostArguments: DevHostArguments = { request, viewer: viewer.value }
    try {
      await superviseHost({
        script: fileURLToPath(new URL('../dev-host.js', import.meta.url)),
        args: [JSON.stringify(hostArguments)],
        cwd: folder,
        env: { ...context.env, KEELSON_DEV: '1' },
        signal,
        prepare: (report) => buildDevPlugins(builds, report),
        nextChange: watcher.nextChange,
        report: ({ text, ...event }) => context.say(text, { ...event, message: text })
      })
    } finally {
      watcher.close()
    }
    return ENDED
  }
}

const ENDED = { text: '', json: { event: 'ended' } }

/** The app that was named, or the one that the folder says it is. */
async function appOf(
  folder: string,
  given: string | undefined,
  cwd: string
): Promise<DevApp | undefined> {
  return given === undefined ? declaredApp(folder) : findApp(resolve(cwd, given))
}

function checkViewer(
  { viewerPlugin }: DevProject,
  { HOST: host = '127.0.0.1' }: Readonly<Record<string, string | undefined>>,
  isGiven: boolean
): void {
  if (viewerPlugin === undefined && !isLoopbackHost(host))
    throw errors.KRN_CLI_NOT_LOOPBACK({ host })
  if (viewerPlugin !== undefined && isGiven) {
    throw errors.KRN_CLI_VIEWER_PROVIDED({ plugin: viewerPlugin })
  }
}
