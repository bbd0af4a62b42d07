// A mailer with contacts, templates and a recording provider, for tests of broadcasts.
import type { MailContact } from '@keelson/sdk/contracts/mailer-core'
import type { MailProvider, ProviderMessage } from '@keelson/sdk/contracts/mailer-provider'
import type { Teardown } from '@keelson/sdk/testing'
import { findSubscriptions } from '../../contacts/find-subscriptions.ts'
import { findSuppressions } from '../../contacts/find-suppressions.ts'
import { suppressionThatBlocks } from '../../contacts/suppression-rules.ts'
import type { MailerContext } from '../../context.ts'
import { createSendHandler } from '../../sends/hand-off.ts'
import type { PreparedTemplate } from '../../templates/prepared-template.ts'
import type { TemplateRow } from '../../templates/template-rows.ts'
import { type TestContext, type TestContextOptions, testContext } from '../../test/test-context.ts'
import { advanceBroadcasts } from '../advance-broadcasts.ts'
import type { BroadcastContext, SegmentReader } from '../broadcast-context.ts'
import type { BroadcastRow } from '../broadcast-row.ts'
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

/** A published template that renders its slug as the subject. */
export const published = (
  slug: string,
  more: Partial<PreparedTemplate> = {}
): PreparedTemplate => ({
  slug,
  version: 1,
  kind: 'marketing',
  bodyFormat: 'text_only',
  trackOpens: false,
  trackClicks: false,
  fromName: 'Acme',
  fromEmail: 'news@acme.test',
  replyTo: null,
  bodyHash: slug,
  render: () => ({ ok: true, mail: { subject: slug, preheader: '', text: slug, links: [] } }),
  ...more
})

const TEMPLATES = ['news', 'first', 'second'].map((slug) => published(slug))
const templates = { load: async () => new Map(TEMPLATES.map((one) => [one.slug, one])) }

interface Definition {
  readonly filters: readonly { readonly kind: string; readonly tag?: string }[]
}

/** Selects by one tag; only subscribed contacts that are not suppressed. */
export function segmentsOf(context: MailerContext): SegmentReader {
  const { adapter, clock } = context
  const tagOf = (definition: unknown) => (definition as Definition).filters[0]?.tag ?? ''
  const reader: SegmentReader = {
    fault(definition) {
      const { filters = [] } = definition as Partial<Definition>
      const unknown = filters.find(({ kind }) => kind !== 'hasTag')
      return unknown && `unknown filter ${unknown.kind}`
    },
    async page(definition, options) {
      const { contacts, ...rest } = await adapter.query({ hasTag: tagOf(definition) }, options)
      const ids = contacts.map(({ externalId }) => externalId)
      const subscriptions = await findSubscriptions(context, ids)
      const suppressions = await findSuppressions(
        context,
        contacts.map(({ email }) => email)
      )
      const isReached = ({ externalId, email }: MailContact): boolean => {
        const rows = suppressions.get(email) ?? []
        const block = suppressionThatBlocks(rows, 'marketing', undefined, clock.now())
        return subscriptions.get(externalId)?.status === 'subscribed' && block === undefined
      }
      return { members: contacts.filter(isReached).map((contact) => ({ contact })), ...rest }
    },
    async count(definition) {
      let count = 0
      let cursor: string | undefined
      do {
        const page = await reader.page(definition, { limit: 1000, ...(cursor && { cursor }) })
        count += page.members.length
        cursor = page.nextCursor
      } while (cursor !== undefined)
      return count
    }
  }
  return reader
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
  const kinds = [...TEMPLATES.map(({ slug }) => [slug, 'marketing']), ['notice', 'transactional']]
  await collections.templates.insertMany(
    kinds.map(([slug, kind]) => ({ _id: slug, slug, kind }) as unknown as TemplateRow)
  )
}

/** What a test of broadcasts works with. */
export interface BroadcastBench extends Omit<TestContext, 'context'> {
  readonly context: BroadcastContext
  readonly sent: ProviderMessage[]
  /** Makes and schedules a broadcast to everybody with the tag `cast`. */
  schedule(more?: Partial<NewBroadcast>, scheduledAt?: Date): Promise<BroadcastRow>
  advance(): Promise<number>
  /** Hands over what is due. */
  handOver(): Promise<void>
  /** Ticks and hands over until nothing changes. */
  drain(): Promise<void>
  read(slug?: string): Promise<BroadcastRow>
}

/** Options of a bench: those of the context, and what is selected by. */
export interface BenchOptions extends TestContextOptions {
  readonly segments?: (context: MailerContext) => SegmentReader
}

/** Opens a bench whose contacts are all subscribed. */
export async function openBench(
  t: Teardown,
  { segments = segmentsOf, ...options }: BenchOptions = {}
): Promise<BroadcastBench> {
  const sent: ProviderMessage[] = []
  const provider: MailProvider = {
    name: 'recording',
    sendRatePerSecond: 1_000_000,
    send: async (message) => {
      sent.push(message)
      return { status: 'accepted', providerId: `p${sent.length}` }
    },
    verifyWebhook: () => false,
    parseWebhookEvents: () => []
  }
  const opened = await testContext(t, {
    templates,
    providers: { recording: provider },
    handlers: (context) => {
      const handler = createSendHandler(context)
      return { urgentSends: handler, bulkSends: handler }
    },
    ...options
  })
  // The queues are read when they are first used.
  const context: BroadcastContext = Object.assign(Object.create(opened.context), {
    segments: segments(opened.context)
  })
  await storeTemplates(context)
  const { contacts = [] } = options
  if (contacts.length > 0)
    await subscribeAll(
      context,
      contacts.map(({ externalId }) => externalId)
    )
  const advance = async () => (await advanceBroadcasts(context)).moved
  const handOver = async () => {
    await Promise.all([opened.queues.urgentSends.runDue(), opened.queues.bulkSends.runDue()])
  }
  const read = async (slug = 'cast') =>
    (await context.collections.broadcasts.findOne({ slug })) as BroadcastRow
  return {
    ...opened,
    context,
    sent,
    advance,
    handOver,
    read,
    async drain() {
      do await handOver()
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
