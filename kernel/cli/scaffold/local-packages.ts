// A new plugin beside a clone of Keelson: its packages come from there, because they are in no registry yet.
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, relative, sep } from 'node:path'

/** The real folder of a package; undefined where it is not installed. */
export type FindPackage = (name: string) => string | undefined

/** The folder of a package as the kernel finds it. */
export const findPackage: FindPackage = (name) => {
  const places = createRequire(import.meta.url).resolve.paths(name) ?? []
  const found = places.map((place) => join(place, name)).find((folder) => existsSync(folder))
  return found === undefined ? undefined : realpathSync(found)
}

/** The file with the types of a package, as its package.json names it. */
export const findTypes: FindPackage = (name) => {
  const folder = findPackage(name)
  if (folder === undefined) return undefined
  const { types } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    readonly types?: string
  }
  return types === undefined ? undefined : join(folder, types)
}

/** Packages of which plugin and platform need the same types. They are installed twice all the same. */
const SHARED = ['fastify', 'mongodb', 'undici']

const isInstalled = (folder: string): boolean => folder.split(sep).includes('node_modules')
const pathOf = (folder: string, found: string): string =>
  relative(folder, found).split(sep).join('/')

/** Whether the kernel is part of a clone, and not installed from a package. */
export function isClone(find: FindPackage): boolean {
  const kernel = find('@keelson/kernel')
  return kernel !== undefined && !isInstalled(kernel)
}

/** The text of a package.json in `folder` with the packages of the platform as folders of the clone. */
export function withLocalPackages(text: string, folder: string, find: FindPackage): string {
  const [before = '', developing] = text.split('"devDependencies"')
  if (developing === undefined) return text
  const local = developing.replace(/"(@keelson\/[^"\n]+)": "\^[^"]+"/g, (whole, name: string) => {
    const found = find(name)
    return found === undefined ? whole : `"${name}": "file:${pathOf(folder, found)}"`
  })
  return `${before}"devDependencies"${local}`
}

/** The text of a tsconfig.json in `folder` that reads the types of shared packages from the files of the clone. */
export function withLocalTypes(text: string, folder: string, find: FindPackage): string {
  const paths = SHARED.flatMap((name) => {
    const found = find(name)
    return found === undefined ? [] : [`      "${name}": ["./${pathOf(folder, found)}"]`]
  })
  const option = `    "paths": {\n${paths.join(',\n')}\n    },`
  return text.replace('"compilerOptions": {', `"compilerOptions": {\n${option}`)
}
