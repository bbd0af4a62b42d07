// Mails of a broadcast or flow, and runs of a flow, wait while the owner who let it send may no longer send.
import { actorOfOwner, type Owner, systemActor } from '@keelson/sdk'
import type { Collection, Filter } from 'mongodb'
import type { NamedHold } from '../delivery/sends/ask-gates.ts'
import type { MailerContext } from '../ledger/context.ts'
import type { SendRow } from '../ledger/send-row.ts'

/** A kind of what sends by itself once a person has let it. Other plugins contribute theirs. */
export interface OwnedKind {
  readonly kind: string
  /** The permission of the operations that let it send. */
  readonly permission: string
  /** What a person does to let it send in their own name. */
  readonly takeOver: string
}

/** The mailer's own. */
export const OWN_KINDS = {
  broadcast: { kind: 'broadcast', permission: 'mailer.sendBroadcasts', takeOver: 'Resume it' },
  flow: { kind: 'flow', permission: 'mailer.publish', takeOver: 'Pause and resume it' }
} as const satisfies Readonly<Record<string, OwnedKind>>

/** The part of its row that says who let it send. */
export interface OwnedCampaign {
  readonly slug: string
  readonly owner?: Owner | null
}

/** Who acts for what was let send before owners were stored, or by a caller of whom only a name is known. */
const UNOWNED = systemActor('mailer', 'unowned-campaign')

/** Why a campaign may not send now; undefined lets it. The right of its owner is asked each time. */
export async function ownerProblem(
  context: Pick<MailerContext, 'admits'>,
  { kind, permission, takeOver }: OwnedKind,
  { slug, owner }: OwnedCampaign
): Promise<string | undefined> {
  const actor = owner ? actorOfOwner(owner, `${kind}:${slug}`) : UNOWNED
  if (await context.admits(actor, permission)) return undefined
  return `${actor.name} let the ${kind} ${slug} send and may no longer do so. ${takeOver} to let it send in your name.`
}

/** The same, as the answers of one campaign say it. */
export async function problemOf(
  context: Pick<MailerContext, 'admits'>,
  kind: OwnedKind,
  campaign: OwnedCampaign
): Promise<{ readonly ownerProblem?: string }> {
  const problem = await ownerProblem(context, kind, campaign)
  return problem === undefined ? {} : { ownerProblem: problem }
}

/** The hold of each mail whose campaign may not send now, by id of the send. */
export async function ownerHolds(
  context: MailerContext,
  sends: readonly SendRow[]
): Promise<ReadonlyMap<string, NamedHold>> {
  const { broadcasts, flows } = context.collections
  const [ofBroadcasts, ofFlows] = await Promise.all([
    problemsOf(context, OWN_KINDS.broadcast, broadcasts, named(sends, broadcastOf)),
    problemsOf(context, OWN_KINDS.flow, flows, named(sends, flowOf))
  ])
  return new Map(
    sends.flatMap((send) => {
      const message = ofBroadcasts.get(broadcastOf(send)) ?? ofFlows.get(flowOf(send))
      return message === undefined ? [] : [[send._id, holdOf(message)] as const]
    })
  )
}

/** Why runs of flows may not go on now, by id of the flow. */
export async function flowProblems(
  context: Pick<MailerContext, 'admits' | 'collections'>,
  flowIds: readonly string[]
): Promise<ReadonlyMap<string, string>> {
  const problems = new Map<string, string>()
  if (flowIds.length === 0) return problems
  const flows = await context.collections.flows
    .find({ _id: { $in: [...new Set(flowIds)] } }, { projection: { slug: 1, owner: 1 } })
    .toArray()
  for (const flow of flows) {
    const problem = await ownerProblem(context, OWN_KINDS.flow, flow)
    if (problem !== undefined) problems.set(flow._id, problem)
  }
  return problems
}

const broadcastOf = ({ broadcastSlug = '' }: SendRow): string => broadcastSlug
const flowOf = ({ flowSlug = '' }: SendRow): string => flowSlug

/** Problems by slug, of the campaigns that have one. */
async function problemsOf<T extends OwnedCampaign>(
  context: MailerContext,
  kind: OwnedKind,
  collection: Collection<T>,
  slugs: readonly string[]
): Promise<ReadonlyMap<string, string>> {
  if (slugs.length === 0) return new Map()
  const rows = await collection
    .find({ slug: { $in: slugs } } as Filter<T>)
    .project<OwnedCampaign>({ slug: 1, owner: 1 })
    .toArray()
  const problems = new Map<string, string>()
  for (const row of rows) {
    const problem = await ownerProblem(context, kind, row)
    if (problem !== undefined) problems.set(row.slug, problem)
  }
  return problems
}

/** The cause beside mails and runs that wait for another owner. */
export const OWNER_FORBIDDEN = 'owner_forbidden'

/** How the hand-off holds a mail. */
export const holdOf = (message: string): NamedHold => ({
  gate: 'owner',
  error: OWNER_FORBIDDEN,
  message,
  pauseBroadcast: true
})

function named(sends: readonly SendRow[], nameOf: (send: SendRow) => string): readonly string[] {
  return [...new Set(sends.map(nameOf).filter((name) => name !== ''))]
}
