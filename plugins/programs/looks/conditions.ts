// Whether a condition holds for the facts of a subject. Pure.

import { timeOf } from '@keelson/sdk/delivery-window'
import type { Condition } from '../storage/definition.ts'

/** A fact of the host about a subject. */
export type FactValue = string | number | boolean | Date | null
/** The facts of one subject, by name. */
export type Facts = Readonly<Record<string, FactValue>>

const DAY = 86_400_000

/** A fact that is missing makes every comparison false. */
export function holds(condition: Condition, facts: Facts, now: Date): boolean {
  if ('all' in condition) return condition.all.every((one) => holds(one, facts, now))
  if ('any' in condition) return condition.any.some((one) => holds(one, facts, now))
  if ('not' in condition) return !holds(condition.not, facts, now)
  const value = factOf(facts, condition.fact)
  if ('exists' in condition) return (value !== null) === condition.exists
  if ('equals' in condition) return value === condition.equals
  if ('in' in condition) return condition.in.some((one) => one === value)
  if ('atLeast' in condition) return typeof value === 'number' && value >= condition.atLeast
  if ('atMost' in condition) return typeof value === 'number' && value <= condition.atMost
  const at = timeOf(value, 'UTC')
  return at !== undefined && at <= now && now.getTime() - at.getTime() <= condition.withinDays * DAY
}

/** null when it is missing. */
export function factOf(facts: Facts, name: string): FactValue {
  return Object.hasOwn(facts, name) ? (facts[name] ?? null) : null
}

/** The comparisons inside a condition, each with the name of its fact. */
export function leavesOf(
  condition: Condition
): readonly Extract<Condition, { readonly fact: string }>[] {
  if ('all' in condition) return condition.all.flatMap(leavesOf)
  if ('any' in condition) return condition.any.flatMap(leavesOf)
  return 'not' in condition ? leavesOf(condition.not) : [condition]
}
