// Switches a flow on from a moment on: what happened before it starts no runs.
import type { MailerContext } from '../../ledger/context.ts'
import { OWN_KINDS, ownerProblem } from '../owner-hold.ts'
import { decideAll, startRuns } from './event-handler.ts'
import { type By, changeFlowRow, getFlow } from './flow-operations.ts'
import { type FlowRefusal, refused } from './flow-refusal.ts'

/** Events that were recorded so shortly before still start runs. */
const OVERLAP_MS = 30_000
const PAGE = 500
/** Events are counted so far. */
const MOST_COUNTED = 100_000

/** A flow that is on. */
export interface ArmedFlow {
  readonly ok: true
  readonly version: number
  readonly alreadyEnabled: boolean
  readonly watermark: Date
  /** Of an event trigger. */
  readonly eventName: string | null
  readonly skippedEvents: number
  readonly pendingEvents: number
}

/**
 * Enables a flow; one that is enabled stays as it is. Events since `since` (default: now), and those of the
 * 30 seconds before, start runs; it may be called again after a crash.
 */
export async function armFlow(
  context: MailerContext,
  slug: string,
  { since, ...by }: By & { readonly since?: Date }
): Promise<ArmedFlow | FlowRefusal<'not_found' | 'no_live_steps' | 'conflict' | 'draft_conflict'>> {
  const flow = await getFlow(context, slug)
  if (flow === null) return refused('not_found', `There is no flow ${slug}.`)
  if (flow.version === 0) return refused('no_live_steps', `The flow ${slug} was never published.`)
  const { trigger } = flow
  const eventName = trigger.type === 'event' ? trigger.eventName : null
  const watermark = since ?? context.clock.now()
  const from = new Date(watermark.getTime() - OVERLAP_MS)
  if (flow.enabled) {
    const kept = flow.lastTriggerScanAt ?? flow.enabledAt ?? watermark
    const none = { skippedEvents: 0, pendingEvents: 0 }
    // Its mails are held: who arms it again lets them go.
    if ((await ownerProblem(context, OWN_KINDS.flow, flow)) !== undefined) {
      const write = { action: 'flow.arm', ...by }
      const taken = await changeFlowRow(context, slug, write, () => ({ owner: by.owner ?? null }))
      if (!taken.ok) return taken
    }
    const { version } = flow
    return { ok: true, version, alreadyEnabled: true, watermark: kept, eventName, ...none }
  }
  const owner = by.owner ?? null
  const enabled = { enabled: true, enabledAt: from, lastTriggerScanAt: watermark, owner }
  const result = await changeFlowRow(context, slug, { action: 'flow.arm', ...by }, () => enabled)
  if (!result.ok) return result
  const counts = await enterSince(context, eventName, from)
  const { version } = result.flow
  return { ok: true, version, alreadyEnabled: false, watermark, eventName, ...counts }
}

/** Runs have ids of their events: those that a worker starts at the same moment are the same. */
async function enterSince(context: MailerContext, name: string | null, from: Date) {
  if (name === null) return { skippedEvents: 0, pendingEvents: 0 }
  const { events } = context.collections
  const before = { name, occurredAt: { $lt: from } }
  const skippedEvents = await events.countDocuments(before, { limit: MOST_COUNTED })
  const rows = events.find({ name, occurredAt: { $gte: from } }).batchSize(PAGE)
  let pendingEvents = 0
  let page = []
  for await (const row of rows) {
    pendingEvents++
    page.push(row)
    if (page.length < PAGE) continue
    await startRuns(context, (await decideAll(context, page)).entries)
    page = []
  }
  if (page.length > 0) await startRuns(context, (await decideAll(context, page)).entries)
  return { skippedEvents, pendingEvents }
}
