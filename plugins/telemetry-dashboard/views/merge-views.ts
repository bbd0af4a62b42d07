// Decides which view answers to a name: saved over configured over derived.
import type { ConfiguredView, DerivedView, SavedView, View } from './view.ts'

export interface ViewOrigins {
  readonly derived: readonly DerivedView[]
  readonly configured: readonly ConfiguredView[]
  /** Oldest first. */
  readonly saved: readonly SavedView[]
}

/**
 * One view per name: saved ones first, oldest first, then configured, then derived. Of two saved views
 * with one name the viewer's own wins, and then the later.
 */
export function mergeViews(origins: ViewOrigins, viewerRef: string | undefined): View[] {
  const isOwn = (view: SavedView) => viewerRef !== undefined && view.ownerRef === viewerRef
  const winner = new Map<string, SavedView>()
  for (const view of origins.saved) {
    const rival = winner.get(view.name)
    if (rival === undefined || isOwn(view) || !isOwn(rival)) winner.set(view.name, view)
  }
  const saved = origins.saved.filter((view) => winner.get(view.name) === view)
  const merged = new Map<string, View>()
  for (const view of [...saved, ...origins.configured, ...origins.derived]) {
    if (!merged.has(view.name)) merged.set(view.name, view)
  }
  return [...merged.values()]
}
