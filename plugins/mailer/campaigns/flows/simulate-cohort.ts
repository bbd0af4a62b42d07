// Simulates a flow for many contacts over many days: in slices, so that the process goes on answering.

import { setImmediate } from 'node:timers/promises'
import { versionId } from '@keelson/sdk/versions'
import { policyReach } from '../../audience/policy/contact-policy.ts'
import { recentMarketing } from '../../audience/policy/recent-mail.ts'
import type { MailContact } from '../../contracts/mailer-core.ts'
import { normalAddress } from '../../ledger/address.ts'
import type { MailerContext } from '../../ledger/context.ts'
import { templatesOf, walkSteps } from '../../ledger/flow-paths.ts'
import type { FlowRow, FlowRunRow } from '../../ledger/flow-rows.ts'
import type { FlowStep } from '../../ledger/flow-steps.ts'
import { getFlow } from './flow-operations.ts'
import { simulateRun } from './interpret/simulate-run.ts'
import { createTally, type Tally } from './interpret/tally-runs.ts'
import { factsOfRuns, type KnownEntry, reasonsAgainst, simulatedRun } from './simulated-entries.ts'

/** Who enters, and when. */
export interface CohortRequest {
  /** Contacts of the host; their real subscriptions, events and mails count. */
  readonly contacts?: readonly MailContact[]
  /** Contacts that are made up: subscribed, with nothing behind them. */
  readonly synthetic?: readonly MailContact[]
  /** Default: now. */
  readonly at?: Date
  readonly days: number
  /** Entries are spread evenly over so many days. */
  readonly enterOverDays: number
  readonly eventProperties?: Readonly<Record<string, unknown>>
  /** Default: the live version. */
  readonly version?: number
  readonly signal?: AbortSignal
  progress?(done: number, total: number): void
}

/** What it came to. */
export type CohortSimulation =
  | ({
      readonly ok: true
      readonly flow: FlowRow
      readonly version: number
      readonly from: Date
      readonly contacts: number
      /** Contacts that do not enter, by why. */
      readonly refused: Readonly<Record<string, number>>
    } & Tally)
  | { readonly ok: false; readonly error: 'flow_not_found' | 'version_not_found' }

/** Contacts whose facts are read together, and walked before the process answers others. */
const SLICE = 10
const DAY_MS = 86_400_000

/** Writes and sends nothing. */
export async function simulateCohort(
  context: MailerContext,
  slug: string,
  request: CohortRequest
): Promise<CohortSimulation> {
  const flow = await getFlow(context, slug)
  if (flow === null) return { ok: false, error: 'flow_not_found' }
  const version = request.version ?? flow.version
  const _id = versionId(flow._id, version)
  const row = await context.collections.flowVersions.findOne({ _id })
  if (row === null && request.version !== undefined)
    return { ok: false, error: 'version_not_found' }
  const steps = row?.steps ?? flow.steps
  const { contacts = [], synthetic = [], days, enterOverDays } = request
  const from = request.at ?? context.clock.now()
  const all = [
    ...contacts.map((contact) => ({ contact, isKnown: true })),
    ...synthetic.map((contact) => ({ contact, isKnown: false }))
  ]
  const gap = (enterOverDays * DAY_MS) / Math.max(1, all.length)
  const refused: Record<string, number> = {}
  const kinds = await templateKinds(context, steps)
  const { contactPolicy: policy } = context.config
  const isMarketing = (template: string) => kinds.get(template) !== 'transactional'
  const tally = createTally({ from, days, policy, isMarketing })
  for (let at = 0; at < all.length && request.signal?.aborted !== true; at += SLICE) {
    const entering = all.slice(at, at + SLICE).map(({ contact, isKnown }, index) => {
      const enteredAt = new Date(from.getTime() + Math.floor((at + index) * gap))
      const { eventProperties } = request
      return { isKnown, contact, run: simulatedRun(flow, contact, { enteredAt, eventProperties }) }
    })
    for (const one of await factsOf(context, { steps, from }, entering)) {
      const { run, facts, recent, contact } = one
      const [reason] = reasonsAgainst(flow, one, steps)
      if (reason !== undefined) {
        refused[reason] = (refused[reason] ?? 0) + 1
        continue
      }
      const { timezone } = contact.fields as { readonly timezone?: string }
      const { enteredAt } = run
      tally.add({ enteredAt, run: simulateRun(steps, run, facts), timezone, recent })
    }
    request.progress?.(Math.min(at + SLICE, all.length), all.length)
    await setImmediate()
  }
  return { ok: true, flow, version, from, contacts: all.length, refused, ...tally.result() }
}

interface Entering {
  readonly contact: MailContact
  readonly isKnown: boolean
  readonly run: FlowRunRow
}

interface Known extends Entering, KnownEntry {
  readonly recent: readonly Date[]
}

/** Contacts of the host with what is known of them; those made up have nothing behind them. */
async function factsOf(
  context: MailerContext,
  { steps, from }: { readonly steps: readonly FlowStep[]; readonly from: Date },
  entering: readonly Entering[]
): Promise<readonly Known[]> {
  const known = entering.filter(({ isKnown }) => isKnown)
  const runs = known.map(({ run }) => run)
  const facts = await factsOfRuns(context, steps, runs)
  const recent = await recentOf(context, known, from)
  return entering.map((one) => ({
    ...one,
    ...(facts.get(one.run._id) ?? invented(one.contact)),
    recent: recent.get(normalAddress(one.contact.email)) ?? []
  }))
}

const invented = (contact: MailContact): KnownEntry => ({
  facts: { contact, subscription: 'subscribed', events: new Map(), engagement: [] },
  hasRun: false
})

async function recentOf(
  context: MailerContext,
  known: readonly Entering[],
  from: Date
): Promise<ReadonlyMap<string, readonly Date[]>> {
  const { contactPolicy: policy } = context.config
  if (policy === undefined || known.length === 0) return new Map()
  const emails = known.map(({ contact }) => normalAddress(contact.email))
  const since = new Date(from.getTime() - policyReach(policy))
  const mails = await recentMarketing(context, emails, since)
  return new Map([...mails].map(([email, rows]) => [email, rows.map(({ at }) => at)]))
}

async function templateKinds(
  { collections }: MailerContext,
  steps: readonly FlowStep[]
): Promise<ReadonlyMap<string, string>> {
  const slugs = templatesOfSteps(steps)
  const rows = await collections.templates
    .find({ slug: { $in: [...slugs] } }, { projection: { slug: 1, kind: 1 } })
    .toArray()
  return new Map(rows.map(({ slug, kind }) => [slug, kind]))
}

/** The templates that steps send. */
export function templatesOfSteps(steps: readonly FlowStep[]): readonly string[] {
  return templatesOf([...walkSteps(steps)].map(([, step]) => step))
}
