// Templates, the onboarding flow and subscriptions on the first start. What is there stays as it is, so a
// start after a crash goes on where the last one ended.
import type {
  ActingOperations,
  ContactAdapter,
  MailerCore,
  MailerOperations
} from '@keelson/mailer/contracts'
import { type Clock, systemActor } from '@keelson/sdk'
import type { Collection } from 'mongodb'
import type { MovableClock } from '../clock/movable-clock.ts'
import { errors } from './errors.ts'
import { draftOf, ONBOARDING, SAMPLE_TEMPLATES, type SampleTemplate } from './sample-templates.ts'

/** Customers from `u1` on who get the newsletter; the others never subscribed. */
const SUBSCRIBED = 190
const AT_ONCE = 20
/** Before the first mail: the story of the shop is nine weeks long. */
const WRITTEN_BEFORE_MS = 63 * 86_400_000
const SAMPLE = systemActor('shop', 'sample-mail')

export interface StateRow {
  readonly _id: 'sample-mail'
  /** When everything was there. What operators delete later is not made again. */
  readonly doneAt: Date
}

/** What the sample mail is written with. */
export interface SampleMail {
  readonly mailer: MailerCore
  readonly operations: MailerOperations
  readonly contacts: ContactAdapter
  readonly state: Collection<StateRow>
  readonly clock: Clock
  /** Without it all is written as of now. */
  readonly past?: Pick<MovableClock, 'during'> | undefined
}

/** Writes what is missing; does nothing once everything was there. */
export async function writeSampleMail({ state, clock, ...parts }: SampleMail): Promise<void> {
  if ((await state.findOne({ _id: 'sample-mail' })) !== null) return
  const during: MovableClock['during'] = parts.past?.during ?? ((_at, work) => work())
  const writtenAt = new Date(clock.now().getTime() - WRITTEN_BEFORE_MS)
  await Promise.all([
    subscribe(parts, during),
    during(writtenAt, () => publishAll(parts.operations.as(SAMPLE)))
  ])
  await state.updateOne(
    { _id: 'sample-mail' },
    { $setOnInsert: { doneAt: clock.now() } },
    { upsert: true }
  )
}

/** One after the other: the first loads the compiler, and the flow needs its templates. */
async function publishAll(mailer: ActingOperations): Promise<void> {
  for (const template of SAMPLE_TEMPLATES) await publish(mailer, template)
  await publishOnboarding(mailer)
}

async function publish(mailer: ActingOperations, template: SampleTemplate): Promise<void> {
  const { slug, name, kind } = template
  const params = { slug }
  const known = await mailer.call('mailer.templates.read', { params })
  if (known.ok && known.answer.version > 0) return
  await mailer.call('mailer.templates.create', { body: { slug, name, kind } })
  const body = await draftOf(template)
  check(`template ${slug}`, await mailer.call('mailer.templates.changeDraft', { params, body }))
  check(`template ${slug}`, await mailer.call('mailer.templates.publish', { params, body: {} }))
}

/** Published and disabled: an operator enables it. */
async function publishOnboarding(mailer: ActingOperations): Promise<void> {
  const { flow, steps } = ONBOARDING
  const params = { slug: flow.slug }
  const known = await mailer.call('mailer.flows.read', { params })
  if (known.ok && known.answer.version > 0) return
  await mailer.call('mailer.flows.create', { body: flow })
  check('flow', await mailer.call('mailer.flows.changeDraft', { params, body: { steps } }))
  check('flow', await mailer.call('mailer.flows.publish', { params, body: { enable: false } }))
}

/** Each on the day on which the customer came. */
async function subscribe(
  { mailer, contacts: adapter }: Pick<SampleMail, 'mailer' | 'contacts'>,
  during: MovableClock['during']
): Promise<void> {
  const known = new Set((await mailer.subscribers()).map(({ externalId }) => externalId))
  const ids = Array.from({ length: SUBSCRIBED }, (_, at) => `u${at + 1}`)
  const contacts = await adapter.getBatch(ids.filter((id) => !known.has(id)))
  const missing = [...contacts.values()]
  const acting = mailer.as(SAMPLE)
  for (let at = 0; at < missing.length; at += AT_ONCE) {
    await Promise.all(
      missing.slice(at, at + AT_ONCE).map(({ externalId, fields }) => {
        const subscription = { externalId, source: 'newsletter form' }
        const cameAt = fields['createdAt']
        if (!(cameAt instanceof Date)) return acting.upsertSubscription(subscription)
        return during(cameAt, () =>
          acting.upsertSubscription({ ...subscription, consentTimestamp: cameAt })
        )
      })
    )
  }
}

function check(
  what: string,
  result: { readonly ok: true } | { readonly ok: false; readonly message?: string; code: string }
): void {
  if (!result.ok) throw errors.SHOP_SAMPLE_MAIL({ what, problem: result.message ?? result.code })
}
