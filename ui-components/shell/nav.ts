// The navigation as the server answers it, and which page an address belongs to. Pure.
import type { PageElement, PageRoute } from '../page.ts'

/** A page in the navigation. */
export interface NavPage {
  readonly id: string
  /** The id of its plugin. */
  readonly plugin: string
  readonly title: string
  /** The address of the page. */
  readonly path: string
  /** The tag of its custom element. */
  readonly element: string
  /** Address of the module. */
  readonly module: string
  /** Who may open it: `public`, `viewer` or `admin`. */
  readonly role: string
  /** The plugin's mount: what `host.fetch` is relative to. */
  readonly mount: string
  /** Name of an icon. */
  readonly icon?: string
  /** A route of the plugin that answers `{count}`: the number beside the entry. */
  readonly badge?: string
  /** What that route answered when the server made the navigation. Absent: the shell asks it. */
  readonly count?: number
  /** Where the plugin's routes are, when that is not `mount`: a path, or an address of another origin. */
  readonly api?: string
}

/** A heading of the navigation with its pages. */
export interface NavSection {
  readonly id: string
  readonly title: string
  readonly pages: readonly NavPage[]
}

/** Who is signed in, as the foot of the navigation shows it. */
export interface NavViewer {
  readonly tenantId: string
  readonly tenantName?: string
  readonly role: string
  readonly email?: string
  readonly name?: string
}

/** What `GET /shell/nav` answers. */
export interface Nav {
  readonly title: string
  readonly sections: readonly NavSection[]
  /** Pages that have an address and are not listed. */
  readonly hidden: readonly NavPage[]
  /** Null when signed out. Absent in a standalone shell, which has no sign-in. */
  readonly viewer?: NavViewer | null
  /** What the viewer may call: `<plugin>:<METHOD> <path>`. Absent where only the server decides. */
  readonly routes?: readonly string[]
  /** The prefix of the platform, before addresses that manifests declare with `at`: `/platform`. Absent for none. */
  readonly prefix?: string
  /** Public config by plugin. */
  readonly settings: Readonly<Record<string, unknown>>
}

/** The page of an address. */
export interface PagePlace {
  readonly page: NavPage
  /** What comes after the page's path. */
  readonly sub: string
}

/** Where the plugin's routes are, without a slash at the end. */
export const apiBaseOf = ({ api, mount }: NavPage): string => api ?? (mount === '/' ? '' : mount)

/** Where an address is that a manifest declares with `at`: on the origin that the page's API is on. */
export function addressAt(nav: Nav, page: NavPage, address: string): URL {
  return new URL(`${nav.prefix ?? ''}${address}`, new URL(apiBaseOf(page), location.href))
}

/** Every page, those in the navigation first, in its order. */
export function pagesOf(nav: Nav): readonly NavPage[] {
  return [...nav.sections.flatMap(({ pages }) => pages), ...nav.hidden]
}

/** The page of an address: its own path, a path below it, or the first page of a mount. */
export function pageAt(nav: Nav, address: string, home = '/'): PagePlace | undefined {
  const path = trimmed(address)
  const pages = pagesOf(nav)
  const exact = pages.find((page) => trimmed(page.path) === path)
  if (exact !== undefined) return { page: exact, sub: '' }
  const above = pages
    .filter((page) => page.path !== page.mount && path.startsWith(`${trimmed(page.path)}/`))
    .sort((a, b) => b.path.length - a.path.length)[0]
  if (above !== undefined) return { page: above, sub: path.slice(trimmed(above.path).length) }
  const listed = nav.sections.flatMap((section) => section.pages)
  const first = path === home ? listed[0] : listed.find(({ mount }) => trimmed(mount) === path)
  return first === undefined ? undefined : { page: first, sub: '' }
}

const trimmed = (path: string): string => (path === '/' ? path : path.replace(/\/+$/, ''))

/** Whether two entries are the same page from the same module. */
export function isSamePage(a: NavPage | undefined, b: NavPage | undefined): boolean {
  return a?.plugin === b?.plugin && a?.id === b?.id && a?.module === b?.module
}

/** The part of the address that a page takes along to its neighbours: `?range=24h`, or empty. */
export function keptQuery(page: PageElement | null, { params }: PageRoute): string {
  const kept = page?.kept ?? []
  const query = new URLSearchParams([...params].filter(([name]) => kept.includes(name)))
  return query.size === 0 ? '' : `?${query}`
}
