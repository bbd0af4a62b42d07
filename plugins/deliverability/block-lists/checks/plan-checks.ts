// Which targets are due on which lists. Pure.

import { isIPv6 } from 'node:net'
import { pauseAfter } from '@keelson/sdk'
import type { ConfiguredList } from '../lists/configured-list.ts'
import { type CheckRow, checkId, type ListRow } from '../storage/rows.ts'

/** What is asked of one list. */
export interface ListPlan {
  readonly list: ConfiguredList
  readonly targets: readonly string[]
  /** Those that are due now. */
  readonly due: readonly string[]
}

/** What planning reads. */
export interface PlanInput {
  readonly lists: readonly ConfiguredList[]
  readonly domains: readonly string[]
  readonly ips: readonly string[]
  readonly checks: ReadonlyMap<string, CheckRow>
  readonly states: ReadonlyMap<string, ListRow>
  readonly intervalMs: number
  readonly now: Date
  /** All are due, whatever was asked before. */
  readonly isForced: boolean
}

/** Lists without a target are left out. */
export function planChecks(input: PlanInput): readonly ListPlan[] {
  const { lists, domains, ips, checks, states, now, intervalMs, isForced } = input
  const isOver = (at: Date | undefined, failures: number) =>
    isForced || at === undefined || now.getTime() - at.getTime() >= pauseAfter(failures, intervalMs)
  return lists
    .map((list) => {
      const targets = list.kind === 'ip' ? ips : domains
      const state = states.get(list.host)
      const isWorking = state === undefined || state.state === 'working'
      const isListDue = isWorking || isOver(state.testedAt, state.failures)
      const due = targets.filter((target) => {
        const row = checks.get(checkId(list.host, target))
        return isListDue && isOver(row?.attemptedAt, row?.failures ?? 0)
      })
      return { list, targets, due }
    })
    .filter(({ targets }) => targets.length > 0)
}

/** IPv6 addresses are asked for only where the list holds any. */
export const askable = (targets: readonly string[], hasIpv6: boolean): readonly string[] =>
  hasIpv6 ? targets : targets.filter((target) => !isIPv6(target))
