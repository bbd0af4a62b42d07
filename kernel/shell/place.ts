// Which page an address means, and whether someone may see it. Pure.
import type { Viewer } from '@keelson/sdk'
import { mayOpen, orderedPages } from './nav.ts'
import type { ShellPage } from './shell.ts'

/** What to answer to a request for a document. */
export type Place =
  | { readonly kind: 'page'; readonly page: ShellPage }
  /** An address of a mount with pages, or the start: the shell says what is there. */
  | { readonly kind: 'shell' }
  | { readonly kind: 'sign-in' }
  | { readonly kind: 'refused'; readonly page: ShellPage }

/** Decides by the pages of the running plugins. */
export function placeOf(path: string, pages: readonly ShellPage[], viewer: Viewer | null): Place {
  const address = trimmed(path)
  const ordered = orderedPages(pages)
  const page = pageAt(address, ordered)
  if (page !== undefined) {
    if (mayOpen(page, viewer)) return { kind: 'page', page }
    return viewer === null ? { kind: 'sign-in' } : { kind: 'refused', page }
  }
  const around =
    address === '/' ? ordered : ordered.filter(({ apiBase }) => isBelow(address, apiBase))
  const first = around.find((candidate) => mayOpen(candidate, viewer))
  const isRoot = address === '/' || around.some(({ apiBase }) => trimmed(apiBase) === address)
  if (first !== undefined) return isRoot ? { kind: 'page', page: first } : { kind: 'shell' }
  return viewer === null && around.length > 0 ? { kind: 'sign-in' } : { kind: 'shell' }
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
