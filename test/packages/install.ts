// Packs the published packages and installs them outside the workspace, each with what it declares alone.
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from '../hosts/processes.ts'

const run = promisify(execFile)

/** What the tests read of a package.json. */
export interface PackageJson {
  readonly name: string
  readonly version: string
  readonly private?: boolean
  readonly files: readonly string[]
  readonly engines?: { readonly node?: string }
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>
  readonly bin?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

/** A package as its users get it. */
export interface InstalledPackage extends PackageJson {
  /** Where it is in the workspace. */
  readonly source: string
  /** Where it is installed. */
  readonly folder: string
}

export const readJson = <T>(file: string): T => JSON.parse(readFileSync(file, 'utf8')) as T

/** Examples are templates; a package without an entry is still being written. */
function isPublished({ source, private: isPrivate }: PackageJson & { readonly source: string }) {
  const isReady = existsSync(join(ROOT, source, 'index.ts'))
  return isPrivate !== true && isReady && !source.startsWith('examples/')
}

/** The packages of the workspace that are published. */
export function publishedPackages(): readonly (PackageJson & { readonly source: string })[] {
  const { workspaces } = readJson<{ workspaces: readonly string[] }>(join(ROOT, 'package.json'))
  return workspaces
    .map((source) => ({ ...readJson<PackageJson>(join(ROOT, source, 'package.json')), source }))
    .filter(isPublished)
}

/** Runs a script of the workspace's node_modules; rejects with what it printed. */
export async function runTool(args: readonly string[], cwd: string): Promise<string> {
  try {
    const { stdout } = await run(process.execPath, [...args], { cwd, maxBuffer: 64 * 1024 * 1024 })
    return stdout
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    throw new Error(`${stdout}\n${stderr}`, { cause: error })
  }
}

export const TSC = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')

/**
 * Installs all of them below `folder` as pnpm does: each package in its own folder, beside links to what its
 * package.json names. So an import that is not declared does not resolve. Packages of others are links to the
 * workspace's; nothing is downloaded.
 */
export async function installPackages(folder: string): Promise<readonly InstalledPackage[]> {
  const packed = publishedPackages().map((found) => ({
    ...found,
    folder: join(folder, 'store', found.name.replace('/', '+'), 'node_modules', found.name)
  }))
  await runTool(
    [TSC, '-b', '--checkers', '1', 'sdk/testing', ...packed.map(({ source }) => source)],
    ROOT
  )
  await pack(packed, folder)
  const places = new Map(packed.map((one) => [one.name, one.folder]))
  for (const one of packed) {
    const modules = one.folder.slice(0, -one.name.length)
    const { dependencies, optionalDependencies, peerDependencies } = one
    const needed = { ...dependencies, ...optionalDependencies, ...peerDependencies }
    for (const name of Object.keys(needed)) {
      link(places.get(name) ?? placeInWorkspace(name, one.source), join(modules, name))
    }
  }
  return packed
}

/** Links packages, of this workspace or of others, into the `node_modules` of an app. */
export function linkInto(
  app: string,
  names: readonly string[],
  installed: readonly InstalledPackage[]
): void {
  const places = new Map(installed.map((one) => [one.name, one.folder]))
  for (const name of names) {
    link(places.get(name) ?? placeInWorkspace(name, '.'), join(app, 'node_modules', name))
  }
}

async function pack(packed: readonly InstalledPackage[], folder: string): Promise<void> {
  const tarballs = join(folder, 'tarballs')
  mkdirSync(tarballs, { recursive: true })
  const workspaces = packed.flatMap(({ source }) => ['-w', source])
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', tarballs]
  await run('npm', [...args, ...workspaces], { cwd: ROOT, maxBuffer: 64 * 1024 * 1024 })
  await Promise.all(
    packed.map(async (one) => {
      mkdirSync(one.folder, { recursive: true })
      await run('tar', ['-xzf', tarballOf(one, folder), '-C', one.folder, '--strip-components=1'])
    })
  )
}

/** The tarball of a package that was installed below `folder`. */
export function tarballOf({ name, version }: PackageJson, folder: string): string {
  return join(folder, 'tarballs', `${name.replace('@', '').replace('/', '-')}-${version}.tgz`)
}

function placeInWorkspace(name: string, source: string): string {
  const nested = join(ROOT, source, 'node_modules', name)
  return existsSync(nested) ? nested : join(ROOT, 'node_modules', name)
}

function link(target: string, path: string): void {
  if (!existsSync(target)) throw new Error(`${target} is not installed`)
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(target, path, 'dir')
}
