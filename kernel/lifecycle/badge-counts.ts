// Numbers beside entries of the navigation, asked of the operations that plugins serve for them.
import {
  type Actor,
  actorOfViewer,
  type BoundOperation,
  callOperation,
  settledWithin,
  type Viewer
} from '@keelson/sdk'
import type { BadgeCount } from '../shell/page.ts'
import type { RunningPlugin } from './running-plugin.ts'

/** Milliseconds that the navigation waits for a number. The shell reads a later one from its route. */
export const BADGE_WAIT = 300

/** Keeps the operations that answer numbers of the navigation. */
export function keepBadges(
  { plugin, badges }: RunningPlugin,
  operations: readonly BoundOperation[]
): void {
  const paths = new Set((plugin.manifest.pages ?? []).map(({ nav }) => nav?.badge))
  for (const bound of operations) {
    const { method, base, path } = bound.operation
    if (method === 'GET' && base === undefined && paths.has(path)) badges.set(path, bound)
  }
}

/** What the badges of plugins say to a viewer; those are left out that fail, are slow, or that the viewer may not read. */
export async function badgeCounts(
  running: readonly RunningPlugin[],
  viewer: Viewer | null,
  mayCall: ReadonlySet<string>
): Promise<readonly BadgeCount[]> {
  const actor = actorOfViewer(viewer, 'session')
  const asked = running.flatMap((one) =>
    [...one.badges]
      .filter(([, { operation }]) => mayCall.has(operation.id))
      .map(async ([badge, bound]) => {
        const count = await countOf(one, bound, actor)
        return count === undefined ? [] : [{ plugin: one.plugin.id, badge, count }]
      })
  )
  return (await Promise.all(asked)).flat()
}

async function countOf(
  { log, stop }: RunningPlugin,
  bound: BoundOperation,
  actor: Actor
): Promise<number | undefined> {
  const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(BADGE_WAIT)])
  const call = { actor, signal, log, may: () => false }
  const answer = callOperation(bound, {}, call).catch((err: unknown) => {
    if (!signal.aborted) log.warn({ err }, `${bound.operation.id} gave no number`)
    return undefined
  })
  const body = (await settledWithin(answer, BADGE_WAIT))?.body as
    | { readonly count?: unknown }
    | undefined
  return typeof body?.count === 'number' ? body.count : undefined
}
