// The runs of a simulation: who enters a flow, what is known of them, and why they would not enter.
import type { MailContact } from '../../contracts/mailer-core.ts'
import type { MailerContext } from '../../ledger/context.ts'
import type { FlowRow, FlowRunRow } from '../../ledger/flow-rows.ts'
import type { FlowStep } from '../../ledger/flow-steps.ts'
import { newRun } from './decide-entries.ts'
import { questionsOf, type RunFacts } from './interpret/facts.ts'
import { gatherContacts, gatherKind } from './runs/gather-facts.ts'

/** When a simulated contact enters, and by an event of which properties. */
export interface SimulatedEntry {
  readonly enteredAt: Date
  readonly eventProperties?: Readonly<Record<string, unknown>> | undefined
}

/** The run that a contact would begin; it is not stored. */
export function simulatedRun(
  flow: FlowRow,
  { externalId, email }: MailContact,
  { enteredAt, eventProperties = {} }: SimulatedEntry
): FlowRunRow {
  const { trigger } = flow
  const name = trigger.type === 'event' ? trigger.eventName : trigger.type
  const triggerEvent = { name, properties: eventProperties }
  const key = `simulated:${externalId}`
  return newRun({ flow, externalId, email, triggerEvent, key }, enteredAt)
}

/** What is known of a contact who enters. */
export interface KnownEntry {
  readonly facts: RunFacts
  /** The contact was in the flow before. */
  readonly hasRun: boolean
}

/** Everything that the steps may ask about contacts of the host, by run: one query for each kind of facts. */
export async function factsOfRuns(
  context: MailerContext,
  steps: readonly FlowStep[],
  runs: readonly FlowRunRow[]
): Promise<ReadonlyMap<string, KnownEntry>> {
  const [first] = runs
  if (first === undefined) return new Map()
  const facts = await gatherContacts(context, runs)
  const questions = questionsOf(steps)
  const asking = runs.map((run) => ({ run, questions }))
  for (const kind of ['events', 'engagement', 'transactional'] as const)
    await gatherKind(context, kind, asking, facts)
  const externalIds = runs.map(({ externalId }) => externalId)
  const before = new Set(
    await context.collections.flowRuns.distinct('externalId', {
      flowId: first.flowId,
      externalId: { $in: externalIds }
    })
  )
  return new Map(
    runs.map(({ _id, externalId }) => [
      _id,
      { facts: facts.get(_id) as RunFacts, hasRun: before.has(externalId) }
    ])
  )
}

/** Why a contact does not enter, by codes; empty when it does. Whether the flow is on does not count. Pure. */
export function reasonsAgainst(
  { trigger }: Pick<FlowRow, 'trigger'>,
  { facts, hasRun }: KnownEntry,
  steps: readonly FlowStep[]
): readonly string[] {
  const { subscription, contact, transactional } = facts
  const isOpen = subscription === 'subscribed' || (transactional?.size ?? 0) > 0
  const reasons = [
    steps.length === 0 ? 'no_steps' : undefined,
    contact === null ? 'contact_unknown' : undefined,
    isOpen ? undefined : (subscription ?? 'no_subscription'),
    trigger.once && hasRun ? 'was_in_it' : undefined
  ]
  return reasons.filter((reason) => reason !== undefined)
}
