// Which packages npm installs for a host in production, read from a lock file. Pure.

/** An entry of `packages` in package-lock.json. */
interface LockedPackage {
  readonly link?: boolean
  readonly resolved?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
}

/** A package-lock.json. */
export interface Lock {
  readonly packages: Readonly<Record<string, LockedPackage>>
}

/** Paths of what is installed for `names` and all they need; optional peers are left out. Sorted. */
export function productionInstall({ packages }: Lock, names: readonly string[]): string[] {
  const found = new Set<string>()
  const visit = (name: string, from: string): void => {
    const path = placeOf(name, from, packages)
    if (path === undefined || found.has(path)) return
    found.add(path)
    const { link, resolved = '' } = packages[path] ?? {}
    // A package of the workspace is a link; what it needs is in the entry of its folder.
    const home = link === true ? resolved : path
    for (const needed of needsOf(packages[home])) visit(needed, home)
  }
  for (const name of names) visit(name, '')
  return [...found].sort()
}

function needsOf(entry: LockedPackage = {}): string[] {
  const { dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = entry
  const peers = Object.keys(peerDependencies).filter(
    (name) => peerDependenciesMeta[name]?.optional !== true
  )
  return [...Object.keys(dependencies), ...peers]
}

function placeOf(name: string, from: string, packages: Lock['packages']): string | undefined {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
    const path = at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`
    if (path in packages) return path
    if (at === '') return undefined
  }
}
