// keelson check: what is wrong with a plugin, from its files and from a start on a throw-away host.
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type CommandAnswer, KeelsonError } from '@keelson/sdk'
import { checkManifest } from '../../manifest/check.ts'
import { exists, readManifest } from '../../manifest/read.ts'
import { type CheckReport, checkPlugin } from '../check-plugin.ts'
import type { Command } from '../command.ts'
import { readSettings } from '../dev-options.ts'
import { findBuild, hasTypeScript } from '../plugin-build.ts'
import { startPlugin } from '../start-check.ts'
import { isTarball, unpack } from '../tarball.ts'

export const check: Command = {
  name: 'check',
  summary:
    'Check a plugin: its manifest, its budgets, its pages, and that every file it names is there.',
  details: [
    'Takes the folder of a plugin, or what npm pack has written of it. Loads the main module as a host would. STORAGE.md and PERMISSIONS.md, when they are there, must',
    'agree with plugin.json. With --start the plugin is also started, on an engine and a host that are',
    'thrown away: it is prepared and registered, each job runs once, and each GET route without',
    'parameters is called as an admin. Gates, setup checks and tasks for the mailer are asked by its',
    'stand-in, and queries of the plugin that no index serves are found. A keelson.config.json beside',
    'plugin.json gives settings and other plugins. No other host is called. A plugin in TypeScript',
    'that lacks built files is built.'
  ].join('\n'),
  positionals: '[dir or tarball]',
  options: {
    write: {
      type: 'boolean',
      description: 'Print STORAGE.md and PERMISSIONS.md from plugin.json.'
    },
    start: { type: 'boolean', description: 'Start the plugin, too.' },
    config: {
      type: 'string',
      placeholder: 'FILE',
      description: 'The config file for --start. Default: as keelson dev finds it.'
    },
    set: {
      type: 'string',
      multiple: true,
      placeholder: 'PATH=VALUE',
      description: 'A setting of the plugin for --start, over the config file: token=abc.'
    }
  },
  async run(context, { args: [dir = '.'], options }) {
    const settings = readSettings((options['set'] ?? []) as readonly string[])
    if ('fault' in settings) return { wrongUse: settings.fault }
    const isStarting = options['start'] === true
    const named = options['config'] as string | undefined
    if (!isStarting && (named !== undefined || options['set'] !== undefined)) {
      return { wrongUse: '--config and --set are for --start.' }
    }
    const given = resolve(context.cwd, dir)
    const configFile = named === undefined ? undefined : resolve(context.cwd, named)
    const check = async (folder: string): Promise<CheckReport> => {
      const request = { folder, configFile, settings: settings.value }
      const failure = await buildMissing(folder)
      const report = await checkPlugin(folder, {
        write: options['write'] === true,
        isPacked: isTarball(given),
        ...(isStarting && { start: (manifest) => startPlugin(manifest, request, context.env) })
      })
      return failure === undefined ? report : withFailure(report, failure)
    }
    return answerOf(dir, isTarball(given) ? await onUnpacked(given, check) : await check(given))
  }
}

async function onUnpacked<T>(file: string, act: (folder: string) => Promise<T>): Promise<T> {
  const { folder, remove } = await unpack(file)
  try {
    return await act(folder)
  } finally {
    await remove()
  }
}

/**
 * Builds a plugin that lacks what a build writes, or whose build has another manifest; whether its code is stale
 * is for its author to know. Returns why the build failed: the rest is checked all the same.
 */
async function buildMissing(folder: string): Promise<KeelsonError | undefined> {
  if (!(await hasTypeScript(folder))) return undefined
  const checked = checkManifest(await readManifest(folder), folder)
  if (!checked.ok) return undefined
  const { main, pages = [] } = checked.manifest
  const files = [...(main === undefined ? [] : [main]), ...pages.map(({ module }) => module)]
  const isThere = await Promise.all(files.map((file) => exists(join(folder, file))))
  if (!isThere.includes(false) && (await hasSameManifest(folder))) return undefined
  try {
    await findBuild(folder)?.()
    return undefined
  } catch (error) {
    if (error instanceof KeelsonError) return error
    throw error
  }
}

/** A build copies plugin.json beside the module that imports it; a build that failed may have done so, too. */
async function hasSameManifest(folder: string): Promise<boolean> {
  const copy = join(folder, 'dist', 'plugin.json')
  if (!(await exists(copy))) return true
  const [built, now] = await Promise.all([readFile(copy), readFile(join(folder, 'plugin.json'))])
  return built.equals(now)
}

function withFailure(report: CheckReport, failure: KeelsonError): CheckReport {
  const { code, message, remedy } = failure
  const plugin = report.problems[0]?.plugin ?? ''
  const problem = { code, plugin, path: 'dist', message, remedy }
  return { ...report, problems: [...report.problems, problem] }
}

function answerOf(dir: string, { problems, notes }: CheckReport): CommandAnswer {
  const ok = problems.length === 0
  const lines = problems.map(({ code, path, message }) => `${code} ${path}\n  ${message}`)
  const text = [...(ok ? [`${dir}: all is well.`] : lines), ...notes].join('\n')
  return { text, json: { ok, problems, ...(notes.length > 0 && { notes }) }, failed: !ok }
}
