// Which page an address means, and whether a viewer may see it. Pure.
import type { Viewer } from '@keelson/sdk'
import { mayOpen, orderedPages } from '@keelson/ui/server'
import type { ShellPage } from './page.ts'

/** What to answer to a request for a document. */
export type DocumentAnswer =
  | { readonly kind: 'page'; readonly page: ShellPage }
  /** An address of a mount with pages, or the start: the shell says what is there. */
  | { readonly kind: 'shell' }
  | { readonly kind: 'sign-in' }
  /** A mount whose pages are not there any more. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'refused'; readonly page: ShellPage }

/** What the decision depends on. */
export interface DocumentRequest {
  /** Address of the start page. */
  readonly start: string
  readonly pages: readonly ShellPage[]
  readonly viewer: Viewer | null
}

/** Decides by the pages of the running plugins. */
export function placeOf(path: string, { start, pages, viewer }: DocumentRequest): DocumentAnswer {
  const address = trimmed(path)
  const ordered = orderedPages(pages)
  const page = pageAt(address, ordered)
  if (page !== undefined) {
    if (mayOpen(page, viewer)) return { kind: 'page', page }
    return viewer === null ? { kind: 'sign-in' } : { kind: 'refused', page }
  }
  // Pages without a place in the navigation are reached by links alone, so they are not a start page.
  const around = ordered.filter(
    ({ apiBase, nav }) => nav !== undefined && (address === start || isBelow(address, apiBase))
  )
  if (address !== start && !ordered.some(({ apiBase }) => isBelow(address, apiBase))) {
    return { kind: 'gone' }
  }
  const isRoot = address === start || around.some(({ apiBase }) => trimmed(apiBase) === address)
  return placeAround(around, isRoot, viewer)
}

/** An address without a page: by what the viewer may open of the pages around it. */
function placeAround(
  around: readonly ShellPage[],
  isRoot: boolean,
  viewer: Viewer | null
): DocumentAnswer {
  const [nearest] = around
  if (nearest === undefined) return { kind: 'shell' }
  const first = around.find((candidate) => mayOpen(candidate, viewer))
  if (first !== undefined) return isRoot ? { kind: 'page', page: first } : { kind: 'shell' }
  return viewer === null ? { kind: 'sign-in' } : { kind: 'refused', page: nearest }
}

function pageAt(address: string, pages: readonly ShellPage[]): ShellPage | undefined {
  const exact = pages.find(({ path }) => trimmed(path) === address)
  if (exact !== undefined) return exact
  return pages
    .filter(({ path, apiBase }) => trimmed(path) !== trimmed(apiBase) && isBelow(address, path))
    .sort((a, b) => b.path.length - a.path.length)[0]
}

/** Whether an address lies under another; the root is above everything and counts for nothing. */
export function isBelow(address: string, above: string): boolean {
  const base = trimmed(above)
  return base !== '/' && (address === base || address.startsWith(`${base}/`))
}

export const trimmed = (path: string): string => path.replace(/\/+$/, '') || '/'
