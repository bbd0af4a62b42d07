// The answer of views, and the addresses that views lead to. Pure.
import type { Static } from '@keelson/sdk'
import type { viewsAnswer } from '../../operations/view-operations.ts'
import type { View, ViewQuery } from '../../views/view.ts'

/** The answer of `GET /api/views`. */
export type ViewsAnswer = Static<typeof viewsAnswer>

const texts = (part: unknown): [string, string][] =>
  typeof part === 'object' && part !== null
    ? Object.entries(part).flatMap(([name, value]): [string, string][] =>
        ['string', 'number', 'boolean'].includes(typeof value) ? [[name, String(value)]] : []
      )
    : []

/** The address parameters of a view. */
export function viewParams({ range, filters, ...query }: ViewQuery): Record<string, string> {
  const state = Object.fromEntries(texts(query['state']))
  const isFixed = 'from' in state && 'to' in state
  return {
    ...(typeof range === 'string' && !isFixed && { range }),
    ...Object.fromEntries(texts(filters)),
    ...state
  }
}

/** Views of this page first, each origin in the order of the answer. */
export function viewsBy(
  views: readonly View[],
  origin: View['origin'],
  page: string
): readonly View[] {
  const found = views.filter((view) => view.origin === origin)
  return [
    ...found.filter((view) => view.page === page),
    ...found.filter((view) => view.page !== page)
  ]
}
