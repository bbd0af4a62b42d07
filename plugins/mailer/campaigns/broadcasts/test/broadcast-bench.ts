// A mailer with contacts, templates and a recording provider, for tests of broadcasts.

import type { Teardown } from '@keelson/sdk/testing'
import type { MailContact } from '../../../contracts/mailer-core.ts'
import type { BroadcastRow } from '../../../ledger/broadcast-row.ts'
import type { MailerContext } from '../../../ledger/context.ts'
import type { PreparedTemplate, PublishedTemplates } from '../../../ledger/prepared-template.ts'
import type { TemplateRow } from '../../../ledger/template-rows.ts'
import {
  preparedTemplate,
  type RecordingOptions,
  type RecordingSends,
  recordingSends
} from '../../../test/recording-sends.ts'
import { advanceBroadcasts } from '../advance-broadcasts.ts'
import { createBroadcast, type NewBroadcast } from '../draft-broadcast.ts'
import { scheduleBroadcast } from '../schedule-broadcast.ts'

/** Who acts in tests. */
export const ANNA = { actor: 'human:anna@acme.test' } as const

/** Contacts `c000`, `c001`, … */
export const people = (count: number, more: (at: number) => Partial<MailContact> = () => ({})) =>
  Array.from({ length: count }, (_, at): MailContact => {
    const externalId = `c${String(at).padStart(3, '0')}`
    const contact = { externalId, email: `${externalId}@example.test`, tags: ['cast'], fields: {} }
    return { ...contact, ...more(at) }
  })

const SLUGS = ['news', 'first', 'second']
/** Published templates whose mails have the slug as their subject, unless the mail has one of its own. */
export const templates: PublishedTemplates = {
  load: async () => new Map(SLUGS.map((slug) => [slug, published(slug)]))
}

function published(slug: string): PreparedTemplate {
  const mail = { subject: slug, preheader: '', text: slug, links: [] }
  const render: PreparedTemplate['render'] = ({ texts }) => ({
    ok: true,
    mail: { ...mail, ...texts }
  })
  return preparedTemplate(slug, { kind: 'marketing', render })
}

/** Subscribes contacts as they are. */
export async function subscribeAll(context: MailerContext, ids: readonly string[]): Promise<void> {
  const now = context.clock.now()
  const row = { status: 'subscribed', source: 'test', createdAt: now, updatedAt: now } as const
  await context.collections.subscriptions.insertMany(
    ids.map((externalId) => ({ _id: externalId, externalId, ...row }))
  )
}

/** Rows of the templates that tests use. */
export async function storeTemplates({ collections }: MailerContext): Promise<void> {
  const kinds = [...SLUGS.map((slug) => [slug, 'marketing']), ['notice', 'transactional']]
  await collections.templates.insertMany(
    kinds.map(([slug, kind]) => ({ _id: slug, slug, kind }) as unknown as TemplateRow)
  )
}

/** What a test of broadcasts works with. */
export interface BroadcastBench extends RecordingSends {
  /** Makes and schedules a broadcast to everybody with the tag `cast`. */
  schedule(more?: Partial<NewBroadcast>, scheduledAt?: Date): Promise<BroadcastRow>
  advance(): Promise<number>
  /** Ticks and hands over until nothing changes. */
  drain(): Promise<void>
  read(slug?: string): Promise<BroadcastRow>
}

/** Opens a bench whose contacts are all subscribed. */
export async function openBench(
  t: Teardown,
  options: RecordingOptions = {}
): Promise<BroadcastBench> {
  const opened = await recordingSends(t, { templates, contacts: [], ...options })
  const { context, run } = opened
  await storeTemplates(context)
  const { contacts = [] } = options
  if (contacts.length > 0)
    await subscribeAll(
      context,
      contacts.map(({ externalId }) => externalId)
    )
  const advance = async () => (await advanceBroadcasts(context)).moved
  const read = async (slug = 'cast') =>
    (await context.collections.broadcasts.findOne({ slug })) as BroadcastRow
  return {
    ...opened,
    advance,
    read,
    async drain() {
      do await run()
      while ((await advance()) > 0)
    },
    async schedule(more, scheduledAt = context.clock.now()) {
      const input = { ...DRAFT, ...more }
      const made = await createBroadcast(context, input, ANNA)
      if (!made.ok) throw new Error(made.code)
      const { slug } = input
      const asked = { scheduledAt, confirmedCount: -1 }
      const counted = await scheduleBroadcast(context, slug, asked, ANNA)
      const confirmedCount = 'expected' in counted ? counted.expected : -1
      const done = await scheduleBroadcast(context, slug, { scheduledAt, confirmedCount }, ANNA)
      if (!done.ok) throw new Error(done.code)
      return done.broadcast
    }
  }
}

/** A broadcast to everybody with the tag `cast`. */
export const DRAFT: NewBroadcast = {
  slug: 'cast',
  name: 'Cast',
  templateSlug: 'news',
  segmentDefinition: { filters: [{ kind: 'hasTag', tag: 'cast' }] }
}
