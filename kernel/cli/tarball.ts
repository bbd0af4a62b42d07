// A packed plugin for keelson check: unpacked beside the packages that it will be installed with.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { KeelsonError } from '@keelson/sdk'
import { reasonOf } from '@keelson/sdk/queue'
import { errors } from '../errors/errors.ts'

const run = promisify(execFile)

export const isTarball = (path: string): boolean => /\.(?:tgz|tar\.gz)$/.test(path)

export interface Unpacked {
  /** The folder of the plugin, as npm would install it. */
  readonly folder: string
  remove(): Promise<void>
}

/**
 * Unpacks what `npm pack` has written. Packages are those of the nearest `node_modules` above the file.
 *
 * @throws KRN_CLI_TARBALL
 */
export async function unpack(file: string): Promise<Unpacked> {
  const place = await mkdtemp(join(tmpdir(), 'keelson-tarball-'))
  const remove = () => rm(place, { recursive: true, force: true })
  try {
    await run('tar', ['-xzf', file, '-C', place])
  } catch (cause) {
    await remove()
    throw errors.KRN_CLI_TARBALL({ file, reason: reasonOf(cause).split('\n')[0] ?? '', cause })
  }
  const packages = nearestPackages(dirname(resolve(file)))
  if (packages !== undefined) await symlink(packages, join(place, 'node_modules'))
  return { folder: join(place, 'package'), remove }
}

function nearestPackages(from: string): string | undefined {
  const found = join(from, 'node_modules')
  if (existsSync(found)) return found
  return dirname(from) === from ? undefined : nearestPackages(dirname(from))
}

/** The files that its package.json names and that were not packed, as `files` leaves them out. */
export async function unpackedFiles(folder: string, plugin: string): Promise<KeelsonError[]> {
  const text = await readFile(join(folder, 'package.json'), 'utf8')
  const { exports = {}, main, types, customElements } = JSON.parse(text)
  const named = [...textsOf({ exports }), ...textsOf({ main, types, customElements })]
  return named
    .filter(([, file]) => !file.includes('*') && !existsSync(join(folder, file)))
    .map(([path, file]) => errors.KRN_CLI_UNPACKED({ plugin, path, file }))
}

/** Each text of a value, with the way to it. */
function textsOf(value: unknown, path = ''): readonly (readonly [path: string, text: string])[] {
  if (typeof value === 'string') return [[path, value]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, each]) =>
    textsOf(each, path === '' ? key : `${path}[${JSON.stringify(key)}]`)
  )
}
