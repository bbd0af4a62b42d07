// When the waits of a run end. Pure.

import { nextInWindow, timeOf, zoneOf } from '@keelson/sdk/delivery-window'
import type { FlowRunRow } from '../../../ledger/flow-rows.ts'
import type { FlowStep, WaitForEventStep } from '../../../ledger/flow-steps.ts'
import type { RunFacts } from './facts.ts'
import type { RunState, StepOf } from './run-state.ts'

const UNITS = {
  minutes: 60_000,
  hours: 3_600_000,
  days: 86_400_000,
  weeks: 604_800_000
} as const

/** A length of time in a definition. */
export interface Duration {
  readonly value: number
  readonly unit: keyof typeof UNITS
}

/** A step that a run may stay at. */
export type WaitStep = Extract<FlowStep, { readonly type: 'wait' | 'waitUntil' | 'waitForEvent' }>

type RunMatch = NonNullable<FlowRunRow['waitingMatch']>

/** When a wait that begins now ends. One that has nothing to wait for ends now. */
export function waitEnd(
  step: WaitStep,
  run: Pick<RunState, 'triggerEvent'>,
  facts: Pick<RunFacts, 'contact'>,
  now: Date
): Date {
  if (step.type === 'wait') return after(now, step)
  if (step.type === 'waitForEvent') return after(now, step.timeout)
  const zone = facts.contact?.timezone
  const wanted = timeOf(wantedTime(step, run, facts), zoneOf(step.delivery, zone)) ?? now
  const earliest = wanted > now ? wanted : now
  return step.delivery === undefined ? earliest : nextInWindow(step.delivery, earliest, zone)
}

/** What the awaited event must have, by the event that started the run. */
export function matchOf(
  { match }: WaitForEventStep,
  { triggerEvent }: Pick<RunState, 'triggerEvent'>
): RunMatch | undefined {
  if (match === undefined) return undefined
  const { property, triggerProperty = property } = match
  const properties = triggerEvent?.properties ?? {}
  const value = Object.hasOwn(properties, triggerProperty) ? properties[triggerProperty] : null
  const isPlain = ['string', 'number', 'boolean'].includes(typeof value)
  return { property, value: isPlain ? (value as RunMatch['value']) : null }
}

const after = (now: Date, { value, unit }: Duration): Date =>
  new Date(now.getTime() + value * UNITS[unit])

function wantedTime(
  { at, property, field }: StepOf<'waitUntil'>,
  { triggerEvent }: Pick<RunState, 'triggerEvent'>,
  { contact }: Pick<RunFacts, 'contact'>
): unknown {
  if (at !== undefined) return at
  if (property !== undefined) return triggerEvent?.properties[property]
  return field === undefined ? undefined : contact?.fields[field]
}
