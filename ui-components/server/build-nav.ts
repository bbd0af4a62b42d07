// The navigation: what a viewer may see, in sections, in order. Pure.
import type { Nav, NavPage, NavViewer } from '../shell/nav.ts'

/** A page as a manifest declares it and a mount places it. */
export interface PlacedPage {
  readonly plugin: string
  readonly id: string
  readonly title: string
  /** Absolute address. */
  readonly path: string
  readonly element: string
  readonly role: 'public' | 'viewer' | 'admin'
  /** Whose viewers may open it, besides those of the platform (`*`). Without it those of every tenant. */
  readonly tenants?: readonly string[] | undefined
  /** Where it is in the navigation; without it there is only a link to it. */
  readonly nav?:
    | {
        readonly section: string
        readonly order?: number | undefined
        readonly icon?: string | undefined
        readonly badge?: string | undefined
      }
    | undefined
  /** The mount of the plugin: what `host.fetch` is relative to. */
  readonly apiBase: string
}

/** What a navigation is built of. */
export interface NavOptions<Page extends PlacedPage> {
  readonly title: string
  readonly pages: readonly Page[]
  /** Null when signed out: only public pages are left. Without it all pages are. */
  readonly viewer?: NavViewer | null
  /** What the viewer may call. Without it only the server decides. */
  readonly routes?: readonly string[]
  /** The prefix of the platform; empty or absent for none. */
  readonly prefix?: string
  moduleOf(page: Page): string
  /** The number of a page's badge, where it is known. */
  countOf?(page: Page): number | undefined
  settingsOf(plugin: string): unknown
}

/** Whether a viewer may open a page. */
export function mayOpen(
  { role, tenants }: Pick<PlacedPage, 'role' | 'tenants'>,
  viewer: Pick<NavViewer, 'role' | 'tenantId'> | null
): boolean {
  if (role === 'public') return true
  if (viewer === null || (role === 'admin' && viewer.role !== 'admin')) return false
  return tenants === undefined || viewer.tenantId === '*' || tenants.includes(viewer.tenantId)
}

/** The pages of the navigation in the order they are shown, then those without a place in it. */
export function orderedPages<Page extends PlacedPage>(pages: readonly Page[]): readonly Page[] {
  const listed = sectionsOf(pages).flatMap((section) => section.pages)
  return [...listed, ...pages.filter(({ nav }) => nav === undefined)]
}

/** The navigation of a viewer. */
export function buildNav<Page extends PlacedPage>(options: NavOptions<Page>): Nav {
  const { title, viewer, routes, prefix = '' } = options
  const visible =
    viewer === undefined ? options.pages : options.pages.filter((page) => mayOpen(page, viewer))
  const entry = (page: Page) => navPage(page, options.moduleOf(page), options.countOf?.(page))
  const plugins = [...new Set(visible.map(({ plugin }) => plugin))]
  return {
    title,
    sections: sectionsOf(visible).map(({ title, pages }) => ({
      id: slug(title),
      title,
      pages: pages.map(entry)
    })),
    hidden: visible.filter(({ nav }) => nav === undefined).map(entry),
    ...(viewer !== undefined && { viewer: viewer === null ? null : viewerOf(viewer) }),
    ...(routes !== undefined && { routes }),
    ...(prefix !== '' && { prefix }),
    settings: Object.fromEntries(
      plugins.map((plugin) => [plugin, options.settingsOf(plugin) ?? {}])
    )
  }
}

interface Section<Page> {
  readonly title: string
  readonly pages: readonly Page[]
}

/** In the order of their first pages; equals by name. */
function sectionsOf<Page extends PlacedPage>(pages: readonly Page[]): readonly Section<Page>[] {
  const titles = [...new Set(pages.flatMap(({ nav }) => nav?.section ?? []))]
  const sections = titles.map((title) => ({
    title,
    pages: pages
      .filter(({ nav }) => nav?.section === title)
      .sort((a, b) => orderOf(a) - orderOf(b) || a.title.localeCompare(b.title))
  }))
  const first = ({ pages: [page] }: Section<Page>) => (page === undefined ? 0 : orderOf(page))
  return sections.sort((a, b) => first(a) - first(b) || a.title.localeCompare(b.title))
}

const orderOf = ({ nav }: PlacedPage): number => nav?.order ?? 1000

function navPage(page: PlacedPage, module: string, count: number | undefined): NavPage {
  const { id, plugin, title, path, element, role, apiBase, nav } = page
  const { icon, badge } = nav ?? {}
  return {
    id,
    plugin,
    title,
    path,
    element,
    module,
    role,
    mount: apiBase || '/',
    ...(icon !== undefined && { icon }),
    ...(badge !== undefined && { badge }),
    ...(count !== undefined && { count })
  }
}

function viewerOf({ tenantId, tenantName, role, email, name }: NavViewer): NavViewer {
  return {
    tenantId,
    role,
    ...(tenantName !== undefined && { tenantName }),
    ...(email !== undefined && { email }),
    ...(name !== undefined && { name })
  }
}

function slug(title: string): string {
  const text = title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-')
  return text.replace(/^-|-$/g, '') || 'section'
}
