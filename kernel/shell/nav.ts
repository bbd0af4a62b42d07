// The navigation: what a viewer may see, in sections, in order. Pure.
import type { Viewer } from '@keelson/sdk'
import type { ShellPage } from './page.ts'

export interface NavPage {
  readonly id: string
  readonly plugin: string
  readonly title: string
  readonly path: string
  readonly element: string
  readonly module: string
  readonly role: string
  readonly mount: string
  readonly icon?: string
}

export interface NavSection {
  readonly id: string
  readonly title: string
  readonly pages: readonly NavPage[]
}

/** What `GET /shell/nav` answers. */
export interface Nav {
  readonly title: string
  readonly sections: readonly NavSection[]
  /** Pages with an address and no place in the navigation. */
  readonly hidden: readonly NavPage[]
  readonly viewer: Pick<Viewer, 'tenantId' | 'role' | 'email' | 'name'> | null
  /** What the viewer may call. */
  readonly routes: readonly string[]
  readonly settings: Readonly<Record<string, unknown>>
}

export interface NavOptions {
  readonly title: string
  readonly pages: readonly ShellPage[]
  readonly viewer: Viewer | null
  readonly routes: readonly string[]
  moduleOf(page: ShellPage): string
  settingsOf(plugin: string): unknown
}

/** Whether someone may open a page. */
export function mayOpen(page: Pick<ShellPage, 'role'>, viewer: Viewer | null): boolean {
  if (page.role === 'public') return true
  return viewer !== null && (page.role === 'viewer' || viewer.role === 'admin')
}

/** The pages of the navigation in the order they are shown, then those without a place in it. */
export function orderedPages(pages: readonly ShellPage[]): readonly ShellPage[] {
  const listed = sectionsOf(pages).flatMap((section) => section.pages)
  return [...listed, ...pages.filter(({ nav }) => nav === undefined)]
}

/** The navigation of a viewer. */
export function buildNav(options: NavOptions): Nav {
  const visible = options.pages.filter((page) => mayOpen(page, options.viewer))
  const entry = (page: ShellPage) => navPage(page, options.moduleOf(page))
  const plugins = [...new Set(visible.map(({ plugin }) => plugin))]
  return {
    title: options.title,
    sections: sectionsOf(visible).map(({ title, pages }) => ({
      id: slug(title),
      title,
      pages: pages.map(entry)
    })),
    hidden: visible.filter(({ nav }) => nav === undefined).map(entry),
    viewer: options.viewer === null ? null : viewerOf(options.viewer),
    routes: options.routes,
    settings: Object.fromEntries(
      plugins.map((plugin) => [plugin, options.settingsOf(plugin) ?? {}])
    )
  }
}

interface Section {
  readonly title: string
  readonly pages: readonly ShellPage[]
}

/** Sections stand where their first page wants to stand; equals by name. */
function sectionsOf(pages: readonly ShellPage[]): readonly Section[] {
  const titles = [...new Set(pages.flatMap(({ nav }) => nav?.section ?? []))]
  const sections = titles.map((title) => ({
    title,
    pages: pages
      .filter(({ nav }) => nav?.section === title)
      .sort((a, b) => orderOf(a) - orderOf(b) || a.title.localeCompare(b.title))
  }))
  const first = ({ pages: [page] }: Section) => (page === undefined ? 0 : orderOf(page))
  return sections.sort((a, b) => first(a) - first(b) || a.title.localeCompare(b.title))
}

const orderOf = ({ nav }: ShellPage): number => nav?.order ?? 1000

function navPage(page: ShellPage, module: string): NavPage {
  const { id, plugin, title, path, element, role, apiBase, nav } = page
  const icon = nav?.icon
  const entry = { id, plugin, title, path, element, module, role, mount: apiBase || '/' }
  return icon === undefined ? entry : { ...entry, icon }
}

function viewerOf({ tenantId, role, email, name }: Viewer): Nav['viewer'] {
  return {
    tenantId,
    role,
    ...(email !== undefined && { email }),
    ...(name !== undefined && { name })
  }
}

function slug(title: string): string {
  const text = title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-')
  return text.replace(/^-|-$/g, '') || 'section'
}
