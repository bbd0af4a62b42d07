// Events that a flow waits for and that were never sent: a name may be mistyped.
import type { FlowTrigger } from '../../ledger/flow-rows.ts'
import type { FlowStep } from '../../ledger/flow-steps.ts'
import { nearNames, type UsedNames } from '../../ledger/near-names.ts'
import { laneOf, nodesOf } from './lane.ts'

type T = (key: string, values?: Readonly<Record<string, string | number>>) => string

/**
 * What to say of an event; undefined when it was sent before, when nothing is known of events, or there is no name yet.
 * `fired` has how often each event was sent in 30 days; those that were sent before that count 0.
 */
export function silentWords(event: string, fired: UsedNames | undefined, t: T): string | undefined {
  if (fired === undefined || event === '' || Object.hasOwn(fired, event)) return undefined
  const near = nearNames(event, fired).map((one) => t('flow.nearEvent', { ...one }))
  const [last, ...others] = near.toReversed()
  if (last === undefined) return t('flow.silentEvent', { event })
  const one = others.toReversed().join(', ')
  return t('flow.silentEventNear', {
    event,
    near: one === '' ? last : t('flow.or', { one, other: last })
  })
}

/** The events that start a flow or that its steps wait for, each once. */
export function eventsOf(trigger: FlowTrigger, steps: readonly FlowStep[]): readonly string[] {
  const waited = [...nodesOf(laneOf(steps))].flatMap(({ step }) =>
    step.type === 'waitForEvent' ? [step.eventName] : []
  )
  return [...new Set([...(trigger.type === 'event' ? [trigger.eventName] : []), ...waited])]
}
