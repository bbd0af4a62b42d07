// Whether a predicate holds for a run. Pure.

import type { Engagement } from '../../../audience/segments/find-behaviour.ts'
import type { LeafPredicate, Predicate } from '../../../ledger/flow-steps.ts'
import type { FactKind, RunFacts } from './facts.ts'
import { kindOf, leavesOf } from './facts.ts'
import type { RunState } from './run-state.ts'

const DAY = 86_400_000

/** What a predicate is judged by. */
export interface Judged {
  readonly run: Pick<RunState, 'enteredAt' | 'triggerEvent'>
  /** Every kind of facts that `missingFacts` names must be there. */
  readonly facts: RunFacts
  readonly now: Date
}

interface Since {
  readonly sinceFlowStart?: boolean
  readonly withinDays?: number
}

/** The kinds of facts that a predicate needs and that were not fetched yet. */
export function missingFacts(predicate: Predicate, facts: RunFacts): readonly FactKind[] {
  const kinds = leavesOf(predicate).flatMap((leaf) => kindOf(leaf) ?? [])
  return [...new Set(kinds)].filter((kind) => facts[kind] === undefined)
}

/** Whether the predicate holds. */
export function holds(predicate: Predicate, judged: Judged): boolean {
  if ('all' in predicate) return predicate.all.every((one) => holds(one, judged))
  if ('any' in predicate) return predicate.any.some((one) => holds(one, judged))
  if ('not' in predicate) return !holds(predicate.not, judged)
  return leafHolds(predicate, judged)
}

function leafHolds(leaf: LeafPredicate, judged: Judged): boolean {
  const { contact, subscription } = judged.facts
  const properties = judged.run.triggerEvent?.properties
  if ('hasTag' in leaf) return contact?.tags.includes(leaf.hasTag) === true
  if ('notHasTag' in leaf) return contact?.tags.includes(leaf.notHasTag) !== true
  if ('fieldEquals' in leaf)
    return own(contact?.fields, leaf.fieldEquals.field) === leaf.fieldEquals.value
  if ('fieldExists' in leaf) return (own(contact?.fields, leaf.fieldExists) ?? null) !== null
  if ('triggerPropertyEquals' in leaf) {
    const { property, value } = leaf.triggerPropertyEquals
    return own(properties, property) === value
  }
  if ('triggerPropertyTruthy' in leaf) return Boolean(own(properties, leaf.triggerPropertyTruthy))
  if ('subscriptionStatus' in leaf) return subscription === leaf.subscriptionStatus
  return didHolds(leaf, judged)
}

type DidPredicate = Exclude<
  LeafPredicate,
  | { hasTag: string }
  | { notHasTag: string }
  | { fieldEquals: object }
  | { fieldExists: string }
  | { triggerPropertyEquals: object }
  | { triggerPropertyTruthy: string }
  | { subscriptionStatus: string }
>

/** Predicates about what the contact did. Opens and clicks are those of people. */
function didHolds(leaf: DidPredicate, judged: Judged): boolean {
  if ('hasFiredEvent' in leaf) return hasFired(leaf.hasFiredEvent, leaf, judged)
  if ('notHasFiredEvent' in leaf) return !hasFired(leaf.notHasFiredEvent, leaf, judged)
  const { asked, count } = engagedWith(leaf, judged)
  return count >= (asked.count ?? 1)
}

type EngagedPredicate = Exclude<
  DidPredicate,
  { hasFiredEvent: string } | { notHasFiredEvent: string }
>
type AskedEngagement = Since & { readonly templateSlug?: string; readonly count?: number }

/** What a predicate asks of opens or clicks, and how many mails meet it. */
export function engagedWith(
  leaf: EngagedPredicate,
  judged: Judged
): {
  readonly field: 'openedAt' | 'clickedAt'
  readonly asked: AskedEngagement
  readonly count: number
} {
  const of = (field: 'openedAt' | 'clickedAt', asked: AskedEngagement) => ({
    field,
    asked,
    count: engaged(field, asked, judged)
  })
  if ('hasOpened' in leaf) return of('openedAt', leaf.hasOpened)
  if ('hasClicked' in leaf) return of('clickedAt', leaf.hasClicked)
  if ('hasOpenedExcludingBots' in leaf) return of('openedAt', leaf.hasOpenedExcludingBots)
  if ('hasClickedExcludingBots' in leaf) return of('clickedAt', leaf.hasClickedExcludingBots)
  if ('openedAtLeastN' in leaf) return of('openedAt', leaf.openedAtLeastN)
  return of('clickedAt', leaf.clickedAtLeastN)
}

function hasFired(name: string, since: Since, judged: Judged): boolean {
  const last = judged.facts.events?.get(name)
  return last !== undefined && last >= startOf(since, judged)
}

/** How many mails the contact opened or clicked. */
function engaged(field: 'openedAt' | 'clickedAt', asked: AskedEngagement, judged: Judged): number {
  const start = startOf(asked, judged)
  const counts = (mail: Engagement) => {
    const at = mail[field]
    const isMeant = asked.templateSlug === undefined || asked.templateSlug === mail.templateSlug
    return isMeant && at !== undefined && at >= start
  }
  return (judged.facts.engagement ?? []).filter(counts).length
}

function startOf({ sinceFlowStart, withinDays }: Since, { run, now }: Judged): Date {
  const entered = sinceFlowStart === true ? run.enteredAt.getTime() : 0
  const within = withinDays === undefined ? 0 : now.getTime() - withinDays * DAY
  return new Date(Math.max(entered, within))
}

/** A value that is there by its own name. */
export function own(values: Readonly<Record<string, unknown>> | undefined, name: string): unknown {
  return values !== undefined && Object.hasOwn(values, name) ? values[name] : undefined
}
