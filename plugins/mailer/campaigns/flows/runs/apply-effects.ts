// Does what the steps of runs want done, in batches. Every effect is keyed by run and path: twice is harmless.

import { changeTags } from '../../../audience/contacts/tags.ts'
import { cancelSends } from '../../../delivery/sends/cancel-sends.ts'
import { type NewSend, queueSends } from '../../../delivery/sends/queue-sends.ts'
import { normalAddress } from '../../../ledger/address.ts'
import type { MailerContext } from '../../../ledger/context.ts'
import type { FlowRunRow } from '../../../ledger/flow-rows.ts'
import { groupedBy } from '../../../ledger/grouped-by.ts'
import type { PreparedTemplate } from '../../../ledger/prepared-template.ts'
import { dedupeKeys } from '../../../ledger/send-id.ts'
import { recordEvents } from '../fire.ts'
import type { RunFacts } from '../interpret/facts.ts'
import type { Effect } from '../interpret/run-state.ts'

/** A run with what its steps want done. */
export interface EffectsOfRun {
  readonly run: FlowRunRow
  readonly facts: RunFacts
  readonly effects: readonly Effect[]
}

/** Why mails of an ended run do not leave. */
export const RUN_ABORTED = 'run_aborted'

type Wanted<D extends Effect['do']> = EffectsOfRun & {
  readonly effect: Extract<Effect, { readonly do: D }>
}

/** Tag changes at a time; each is a call of the host's adapter. */
const PARALLEL = 20

/** What could not be done. */
export interface Undone {
  /** Sends whose template is not published, as `<run>:<path>`. */
  readonly skipped: ReadonlySet<string>
  /** Runs whose tags the host's adapter did not take; nothing else of them was done. */
  readonly failed: ReadonlyMap<FlowRunRow, unknown>
}

/** Does them: first tags, so that mails and other flows see them; then mails; then events. */
export async function applyEffects(
  context: MailerContext,
  runs: readonly EffectsOfRun[],
  now: Date
): Promise<Undone> {
  const failed = await changeAllTags(context, wanted(runs, 'tag'))
  const rest = runs.filter(({ run }) => !failed.has(run))
  const skipped = await queueAll(context, wanted(rest, 'send'))
  const fired = wanted(rest, 'fire').map(({ run, effect }) => ({
    name: effect.name,
    externalId: run.externalId,
    properties: effect.properties,
    chain: effect.chain,
    dedupeKey: `${dedupeKeys.flowStep(run._id, effect.path)}:${effect.name}`,
    occurredAt: now
  }))
  if (fired.length > 0) await recordEvents(context, fired)
  return { skipped, failed }
}

const wanted = <D extends Effect['do']>(runs: readonly EffectsOfRun[], kind: D): Wanted<D>[] =>
  runs.flatMap((one) =>
    one.effects.flatMap((effect) =>
      effect.do === kind ? [{ ...one, effect: effect as Wanted<D>['effect'] }] : []
    )
  )

async function changeAllTags(context: MailerContext, changes: readonly Wanted<'tag'>[]) {
  const failed = new Map<FlowRunRow, unknown>()
  // Changes of one contact are made in their order.
  const byContact = groupedBy(changes, ({ run }) => run.externalId)
  const change = async ({ run, effect }: Wanted<'tag'>) => {
    try {
      if (!failed.has(run)) await changeTags(context, run.externalId, effect)
    } catch (error) {
      failed.set(run, error)
    }
  }
  const contacts = [...byContact.values()]
  for (let at = 0; at < contacts.length; at += PARALLEL) {
    await Promise.all(
      contacts.slice(at, at + PARALLEL).map(async (own) => {
        for (const one of own) await change(one)
      })
    )
  }
  return failed
}

async function queueAll(
  context: MailerContext,
  mails: readonly Wanted<'send'>[]
): Promise<ReadonlySet<string>> {
  const skipped = new Set<string>()
  if (mails.length === 0) return skipped
  const slugs = new Set(mails.map(({ effect }) => effect.step.templateSlug))
  const templates = await context.templates.load([...slugs])
  const sends = mails.map((mail): NewSend => {
    const template = templates.get(mail.effect.step.templateSlug)
    if (template === undefined) skipped.add(`${mail.run._id}:${mail.effect.path}`)
    // The hand-off ends it as failed, with its reason: every recipient has a row.
    return sendOf(mail, template ?? MISSING)
  })
  await queueSends(context, sends)
  await cancelOfEnded(context, [...new Set(sends.flatMap(({ flowRunId }) => flowRunId ?? []))])
  return skipped
}

/** A template that is not published counts as marketing: should it come back, nothing lets its mail pass. */
const MISSING = { kind: 'marketing' } as const

function sendOf(
  { run, facts, effect }: Wanted<'send'>,
  { kind, category }: Pick<PreparedTemplate, 'kind' | 'category'>
): NewSend {
  const { templateSlug, vars, providerOverride } = effect.step
  return {
    dedupeKey: dedupeKeys.flowStep(run._id, effect.path),
    lane: kind === 'marketing' ? 'bulk' : 'urgent',
    externalId: run.externalId,
    ...(facts.contact !== null && { emailAtSend: normalAddress(facts.contact.email) }),
    kind,
    ...(category !== undefined && { category }),
    templateSlug,
    flowRunId: run._id,
    flowSlug: run.flowSlug,
    ...(providerOverride !== undefined && { providerOverride }),
    ...(vars !== undefined && { vars }),
    ...(run.triggerEvent !== null && { event: run.triggerEvent })
  }
}

/** A run may be aborted while its mails are queued: who ends it cancels what is queued, and so does this. */
async function cancelOfEnded(context: MailerContext, runIds: readonly string[]): Promise<void> {
  const ended = await context.collections.flowRuns
    .find({ _id: { $in: [...runIds] }, status: { $ne: 'active' } }, { projection: { _id: 1 } })
    .toArray()
  if (ended.length === 0) return
  await cancelSends(context, { flowRunId: { $in: ended.map(({ _id }) => _id) } }, RUN_ABORTED)
}
