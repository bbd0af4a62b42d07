// Which page an address belongs to: pure.
import type { ShellPage } from './document.ts'

export interface Place {
  readonly page: ShellPage
  /** The page's own path. */
  readonly path: string
  /** What comes after it: `''` or `/abc`. */
  readonly sub: string
}

/** The page of a path below the mount; the first page for the mount itself and for unknown paths. */
export function placeOf(
  path: string,
  mountPath: string,
  pages: readonly ShellPage[]
): Place | undefined {
  const [first] = pages
  if (first === undefined) return undefined
  const rest = path.startsWith(`${mountPath}/`) ? path.slice(mountPath.length + 1) : ''
  const [id = '', ...more] = rest.split('/').filter((part) => part !== '')
  const page = pages.find((one) => one.id === id)
  if (page === undefined) return { page: first, path: mountPath === '' ? '/' : mountPath, sub: '' }
  const sub = more.length === 0 ? '' : `/${more.join('/')}`
  return { page, path: `${mountPath}/${id}`, sub }
}
