// Adds up simulated runs by the day: entries, mails, ends, and the caps that mails meet. Pure.
import {
  type ContactPolicy,
  judgePolicy,
  type PolicyCause,
  policyReach
} from '../../../audience/policy/contact-policy.ts'
import type { SimulatedRun } from './simulate-run.ts'

const DAY_MS = 86_400_000

/** One run, and what is known about its mails. */
export interface TalliedRun {
  readonly enteredAt: Date
  readonly run: SimulatedRun
  readonly timezone?: string | undefined
  /** When marketing mail reached the contact before. */
  readonly recent: readonly Date[]
}

/** What runs came to. */
export interface Tally {
  readonly entries: number
  /** Mails that leave within the days. */
  readonly sends: number
  readonly perDay: { readonly day: string; entries: number; sends: number }[]
  readonly sendsByTemplate: Record<string, number>
  /** Runs by how they ended within the days; `active` is still under way then. */
  readonly ends: { completed: number; exited: number; truncated: number; active: number }
  readonly exitReasons: Record<string, number>
  /** Mails that the contact policy makes wait, and those that it drops, by rule. */
  readonly capsHit: { waited: Record<string, number>; dropped: Record<string, number> }
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

/** What a tally is for. */
export interface TallyOptions {
  readonly from: Date
  readonly days: number
  readonly policy: ContactPolicy | undefined
  /** Whether mail of a template is marketing mail, which alone the policy concerns. */
  isMarketing(templateSlug: string): boolean
}

/** A tally that grows by one run at a time. */
export function createTally(options: TallyOptions): {
  add(run: TalliedRun): void
  result(): Tally
} {
  const { from, days } = options
  const end = from.getTime() + days * DAY_MS
  const tally: Mutable<Tally> = {
    entries: 0,
    sends: 0,
    perDay: Array.from({ length: days }, (_, day) => ({
      day: new Date(from.getTime() + day * DAY_MS).toISOString().slice(0, 10),
      entries: 0,
      sends: 0
    })),
    sendsByTemplate: {},
    ends: { completed: 0, exited: 0, truncated: 0, active: 0 },
    exitReasons: {},
    capsHit: { waited: {}, dropped: {} }
  }
  const dayOf = (at: Date) => tally.perDay[Math.floor((at.getTime() - from.getTime()) / DAY_MS)]
  return {
    add(added) {
      const { enteredAt, run } = added
      const entered = dayOf(enteredAt)
      if (entered === undefined) return
      tally.entries++
      entered.entries++
      for (const { templateSlug, at } of leaving(added, options, tally.capsHit)) {
        const day = dayOf(at)
        if (day === undefined) continue
        day.sends++
        tally.sends++
        count(tally.sendsByTemplate, templateSlug)
      }
      const { kind, reason, at } = run.terminal
      if (at.getTime() >= end) tally.ends.active++
      else {
        tally.ends[kind]++
        if (kind === 'exited') count(tally.exitReasons, reason ?? 'exit')
      }
    },
    result: () => tally
  }
}

function count(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1
}

/** The mails of a run at the time they may leave. One that the policy drops is left out. */
function leaving(
  { run, timezone, recent }: TalliedRun,
  { policy, isMarketing }: TallyOptions,
  capsHit: Tally['capsHit']
): readonly { readonly templateSlug: string; readonly at: Date }[] {
  if (policy === undefined) return run.sends
  const reach = policyReach(policy)
  let handed: Date[] = [...recent]
  const mails: { readonly templateSlug: string; readonly at: Date }[] = []
  for (const { templateSlug, at: queuedAt } of run.sends) {
    if (!isMarketing(templateSlug)) {
      mails.push({ templateSlug, at: queuedAt })
      continue
    }
    handed = handed.filter((time) => time.getTime() + reach > queuedAt.getTime())
    const verdict = judgePolicy(policy, { now: queuedAt, queuedAt, timezone, recent: handed })
    const at = leavesAt(verdict, queuedAt, capsHit)
    if (at === undefined) continue
    handed.push(at)
    mails.push({ templateSlug, at })
  }
  return mails
}

function leavesAt(
  verdict: ReturnType<typeof judgePolicy>,
  queuedAt: Date,
  { waited, dropped }: Tally['capsHit']
): Date | undefined {
  if (verdict.kind === 'go') return queuedAt
  const cause: PolicyCause = verdict.cause
  count(verdict.kind === 'wait' ? waited : dropped, cause)
  return verdict.kind === 'wait' ? verdict.until : undefined
}
