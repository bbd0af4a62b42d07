// The setup check of events: flows that are on and wait for an event that was never sent.
import { eventStats } from '../../campaigns/flows/count-events.ts'
import type { SetupCheck, SetupItem, SetupResult } from '../../contracts/mailer-setup-check.ts'
import type { MailerContext } from '../../ledger/context.ts'
import { walkSteps } from '../../ledger/flow-paths.ts'
import type { FlowRow } from '../../ledger/flow-rows.ts'
import { nearNames, type UsedNames } from '../../ledger/near-names.ts'
import { fine, line, say } from './sentences.ts'

const MOST_FLOWS = 500

/** Checks of events. */
export function eventChecks(context: MailerContext): readonly SetupCheck[] {
  return [{ name: 'silent_events', label: 'Events of flows', run: () => silentEvents(context) }]
}

async function silentEvents(context: MailerContext): Promise<SetupResult> {
  const flows = await context.collections.flows
    .find({ enabled: true }, { projection: { slug: 1, trigger: 1, steps: 1 } })
    .limit(MOST_FLOWS)
    .toArray()
  const waiting = flows
    .map((flow) => ({ slug: flow.slug, events: eventsOf(flow) }))
    .sort((a, b) => (a.slug < b.slug ? -1 : 1))
  if (waiting.every(({ events }) => events.length === 0)) return fine(say('setup.events'))
  const stats = await eventStats(context)
  const used = Object.fromEntries(
    Object.entries(stats).map(([name, { last30d }]) => [name, last30d])
  )
  const items = waiting.flatMap(({ slug, events }) =>
    events
      .filter((event) => !Object.hasOwn(used, event))
      .map((event) => silentItem(slug, event, used))
  )
  if (items.length === 0) return fine(say('setup.events'))
  const count = items.length
  const found = count === 1 ? say('setup.eventSilent') : say('setup.eventsSilent', { count })
  return { ...line('warn', found), items }
}

function silentItem(slug: string, event: string, used: UsedNames): SetupItem {
  const near = nearNames(event, used).map(({ name, count }) => `${name} (${count} in 30 days)`)
  return {
    label: slug,
    severity: 'warn',
    message: `The event ${event} was never sent.`,
    ...(near.length > 0 && { hint: `Did you mean ${near.join(' or ')}?` })
  }
}

/** The events that start a flow or that its published steps wait for, each once. */
function eventsOf({ trigger, steps }: Pick<FlowRow, 'trigger' | 'steps'>): readonly string[] {
  const started = trigger.type === 'event' ? [trigger.eventName] : []
  const waited = [...walkSteps(steps)].flatMap(([, step]) =>
    step.type === 'waitForEvent' ? [step.eventName] : []
  )
  return [...new Set([...started, ...waited])]
}
