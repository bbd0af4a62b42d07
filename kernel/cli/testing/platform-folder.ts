// A platform on disk for tests of the command line, and a terminal that remembers what was printed.
import { randomUUID } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import type { Test } from 'tap'
import { heldEngineFolder } from '../../storage/testing/held-engine.ts'
import { main, type Terminal } from '../main.ts'

export interface CliRun {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
  /** What was printed, when it is JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever was printed
  readonly json: any
}

/** Runs one command line in this process; `input` is what is typed. */
export async function keelson(
  cwd: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  input = ''
): Promise<CliRun> {
  let stdout = ''
  let stderr = ''
  const terminal: Terminal = {
    cwd: () => cwd,
    env,
    stdin: Readable.from([input]),
    stdout: {
      write(text) {
        stdout += text
      }
    },
    stderr: {
      write(text) {
        stderr += text
      }
    },
    once: () => {},
    removeListener: () => {}
  }
  const code = await main(args, terminal)
  let json: unknown
  try {
    json = JSON.parse(stdout)
  } catch {}
  return { code, stdout, stderr, json }
}

/** A new database, on MONGODB_URI or on one engine that all tests of this process share. */
export async function testStorage(): Promise<Readonly<Record<string, string>>> {
  const uri = process.env['MONGODB_URI'] ?? ''
  const database = `test_${randomUUID().slice(0, 12)}`
  return uri === '' ? { dataDir: await heldEngineFolder(), database } : { uri, database }
}

export const manifestOf = (id: string, more: object = {}) => ({
  manifestVersion: 1,
  id,
  name: `The ${id}`,
  version: '1.0.0',
  kernel: '*',
  description: 'For tests.',
  license: 'MIT',
  main: './index.js',
  ...more
})

/** The code of a plugin that does nothing; `options` is put into definePlugin. */
export const sourceOf = (options = '') => `import { readFileSync } from 'node:fs'
import { definePlugin, Type } from '@keelson/sdk'
const manifest = JSON.parse(readFileSync(new URL('./plugin.json', import.meta.url), 'utf8'))
export default definePlugin({ manifest, register() {}, ${options} })
`

export async function writeFiles(
  folder: string,
  files: Readonly<Record<string, unknown>>
): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content))
  }
}

/** A plugin's folder under `plugins/`, in plain JavaScript. */
export function pluginFolder(
  id: string,
  more: object = {},
  source = sourceOf()
): Readonly<Record<string, unknown>> {
  return {
    [`plugins/${id}/package.json`]: { name: id, type: 'module', version: '1.0.0' },
    [`plugins/${id}/plugin.json`]: manifestOf(id, more),
    [`plugins/${id}/index.js`]: source
  }
}

/** A folder with a keelson.config.json and these plugins, all switched on. */
export async function platformFolder(
  t: Test,
  plugins: Readonly<Record<string, object>>,
  files: Readonly<Record<string, unknown>> = {}
): Promise<string> {
  const folder = t.testdir()
  const entries = Object.fromEntries(
    Object.keys(plugins).map((id) => [id, { package: `./plugins/${id}` }])
  )
  await writeFiles(folder, {
    'keelson.config.json': { storage: await testStorage(), plugins: entries },
    ...Object.assign({}, ...Object.entries(plugins).map(([id, more]) => pluginFolder(id, more))),
    ...files
  })
  return folder
}
