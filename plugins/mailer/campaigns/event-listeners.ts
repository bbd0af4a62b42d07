// Gives recorded events to the listeners of other plugins: each within its time, none in the way of another.
import { within } from '@keelson/sdk'
import type { EventListener } from '../contracts/mailer-event-listener.ts'
import type { MailerContext } from '../ledger/context.ts'
import type { EventRow } from '../ledger/event-rows.ts'

const TIMEOUT_MS = 30_000

/** Tells every listener. False when one of them failed: the events are to come again. */
export async function tellListeners(
  context: Pick<MailerContext, 'extensions' | 'clock' | 'log'>,
  events: readonly EventRow[]
): Promise<boolean> {
  const told = await Promise.all(
    context.extensions.eventListeners().map((listener) => tell(context, listener, events))
  )
  return told.every((isTold) => isTold)
}

async function tell(
  { clock, log }: Pick<MailerContext, 'clock' | 'log'>,
  listener: EventListener,
  rows: readonly EventRow[]
): Promise<boolean> {
  const controller = new AbortController()
  const overdue = () => new Error(`it did not answer within ${TIMEOUT_MS / 1000} s`)
  const events = rows.map(({ _id, name, externalId, properties, occurredAt }) => ({
    id: _id,
    name,
    externalId,
    properties,
    occurredAt
  }))
  try {
    const telling = listener.onEvents(events, { now: clock.now(), signal: controller.signal })
    await within(telling, { deadline: { ms: TIMEOUT_MS, overdue } })
    return true
  } catch (error) {
    log.error({ err: error, listener: listener.name }, 'mailer: a listener failed, its events wait')
    return false
  } finally {
    controller.abort()
  }
}
