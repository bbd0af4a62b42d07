// Templates, the onboarding flow and subscriptions on the first start. What is there stays as it is, so a
// start after a crash goes on where the last one ended.
import {
  actingOf,
  changeDraft,
  changeFlow,
  createFlow,
  createTemplate,
  getFlow,
  getTemplate,
  type MailerContext,
  publishFlow,
  publishTemplate
} from '@keelson/mailer'
import { type Clock, systemActor } from '@keelson/sdk'
import type { Collection } from 'mongodb'
import { errors } from './errors.ts'
import { draftOf, ONBOARDING, SAMPLE_TEMPLATES, type SampleTemplate } from './sample-templates.ts'

/** Customers from `u1` on who get the newsletter; the others never subscribed. */
const SUBSCRIBED = 190
const AT_ONCE = 20
const SAMPLE = systemActor('shop', 'sample-mail')
const BY = actingOf(SAMPLE)

export interface StateRow {
  readonly _id: 'sample-mail'
  /** When everything was there. What operators delete later is not made again. */
  readonly doneAt: Date
}

/** Writes what is missing; does nothing once everything was there. */
export async function writeSampleMail(
  context: MailerContext,
  state: Collection<StateRow>,
  clock: Clock
): Promise<void> {
  if ((await state.findOne({ _id: 'sample-mail' })) !== null) return
  await Promise.all([subscribe(context), publishAll(context)])
  await state.updateOne(
    { _id: 'sample-mail' },
    { $setOnInsert: { doneAt: clock.now() } },
    { upsert: true }
  )
}

/** One after the other: the first loads the compiler, and the flow needs its templates. */
async function publishAll(context: MailerContext): Promise<void> {
  for (const template of SAMPLE_TEMPLATES) await publish(context, template)
  await publishOnboarding(context)
}

async function publish(context: MailerContext, template: SampleTemplate): Promise<void> {
  const { slug, name, kind } = template
  if (((await getTemplate(context, slug))?.version ?? 0) > 0) return
  await createTemplate(context, { slug, name, kind }, BY)
  check(`template ${slug}`, await changeDraft(context, slug, await draftOf(template), BY))
  check(`template ${slug}`, await publishTemplate(context, slug, BY))
}

/** Published and disabled: an operator enables it. */
async function publishOnboarding(context: MailerContext): Promise<void> {
  const { flow, steps } = ONBOARDING
  if (((await getFlow(context, flow.slug))?.version ?? 0) > 0) return
  await createFlow(context, flow, BY)
  check('flow', await changeFlow(context, flow.slug, { steps }, BY))
  check('flow', await publishFlow(context, flow.slug, { enable: false }, BY))
}

async function subscribe({ core, adapter }: MailerContext): Promise<void> {
  const known = new Set((await core.subscribers()).map(({ externalId }) => externalId))
  const ids = Array.from({ length: SUBSCRIBED }, (_, at) => `u${at + 1}`)
  const contacts = await adapter.getBatch(ids.filter((id) => !known.has(id)))
  const missing = [...contacts.values()]
  const acting = core.as(SAMPLE)
  for (let at = 0; at < missing.length; at += AT_ONCE) {
    await Promise.all(
      missing.slice(at, at + AT_ONCE).map(({ externalId, fields }) =>
        acting.upsertSubscription({
          externalId,
          source: 'sign-up',
          ...(fields['createdAt'] instanceof Date && { consentTimestamp: fields['createdAt'] })
        })
      )
    )
  }
}

function check(
  what: string,
  result: { readonly ok: true } | { readonly ok: false; readonly message: string }
): void {
  if (!result.ok) throw errors.SHOP_SAMPLE_MAIL({ what, problem: result.message })
}
