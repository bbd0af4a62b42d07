// Flows in tests: a context whose event and run queues work, contacts, published flows, mails as queued.

import type { Teardown } from '@keelson/sdk/testing'
import { versionId } from '@keelson/sdk/versions'
import { createMemoryAdapter } from '../audience/contacts/memory-adapter.ts'
import { createEventHandler } from '../campaigns/flows/event-handler.ts'
import { createEventRegistry } from '../campaigns/flows/event-registry.ts'
import { createOutboxHandler, fire } from '../campaigns/flows/fire.ts'
import { createFlowRunHandler } from '../campaigns/flows/runs/run-handler.ts'
import type { MailKind } from '../contracts/mailer-core.ts'
import type { MailerContext } from '../ledger/context.ts'
import type { FlowRow, FlowRunRow } from '../ledger/flow-rows.ts'
import type { FlowStep } from '../ledger/flow-steps.ts'
import type { PreparedTemplate } from '../ledger/prepared-template.ts'
import { type TestContextOptions, testContext } from './test-context.ts'

/** What a test of flows starts with. */
export interface TestFlowsOptions extends TestContextOptions {
  /** All subscribed. Default: c1 and c2. */
  readonly ids?: readonly string[]
  readonly writableTags?: boolean
  readonly templateSlugs?: Readonly<Record<string, MailKind>>
}

const TEMPLATES = { a: 'marketing', b: 'marketing', notice: 'transactional' } as const

/** A contact as tests make them. */
export const testContact = (externalId: string) => ({
  externalId,
  email: `${externalId}@example.test`,
  tags: [] as string[],
  fields: { firstName: externalId }
})

/** Opens a context with working flows; every event is registered as `every-time` when it is fired. */
export async function testFlows(t: Teardown, options: TestFlowsOptions = {}) {
  const { ids = ['c1', 'c2'], writableTags = true, templateSlugs = TEMPLATES } = options
  const adapter = createMemoryAdapter(ids.map(testContact), { writableTags })
  const prepared = new Map(
    Object.entries(templateSlugs).map(([slug, kind]) => [slug, { slug, kind } as PreparedTemplate])
  )
  const parts = await testContext(t, {
    adapter,
    templates: {
      load: async (slugs) => new Map([...prepared].filter(([slug]) => slugs.includes(slug)))
    },
    handlers: (context) => ({
      events: createEventHandler(context),
      outbox: createOutboxHandler(context),
      flowRuns: createFlowRunHandler(context)
    }),
    ...options
  })
  const { context, queues, pass } = parts
  const { sends, flowRuns } = context.collections
  await subscribe(context, ids)
  const registry = createEventRegistry()
  const drain = async () => {
    for (let round = 0; round < 4; round++) {
      for (const queue of [queues.outbox, queues.events, queues.flowRuns]) await queue.runDue()
    }
  }
  return {
    ...parts,
    adapter,
    drain,
    addFlow: (slug: string, steps: readonly FlowStep[], more: Partial<FlowRow> = {}) =>
      addFlow(context, { slug, steps, ...more }),
    async start(name: string, externalIds: readonly string[] = ['c1'], properties = {}) {
      registry.register({ name, dedupePolicy: 'every-time' })
      for (const externalId of externalIds)
        await fire(context, registry, { name, externalId, properties })
      await drain()
    },
    async passAndDrain(ms: number) {
      pass(ms)
      await drain()
    },
    /** Templates of the mails queued for a contact, in order. */
    async mails(externalId = 'c1') {
      const rows = await sends.find({ externalId }).sort({ queuedAt: 1, _id: 1 }).toArray()
      return rows.map(({ templateSlug }) => templateSlug)
    },
    async run(externalId = 'c1', flowSlug?: string) {
      const runs = await flowRuns.find({ externalId, ...(flowSlug && { flowSlug }) }).toArray()
      if (runs.length !== 1) throw new Error(`${runs.length} runs of ${externalId}`)
      return runs[0] as FlowRunRow
    }
  }
}

async function subscribe(
  { collections, clock }: MailerContext,
  externalIds: readonly string[]
): Promise<void> {
  if (externalIds.length === 0) return
  const now = clock.now()
  const row = { status: 'subscribed', source: 'test', createdAt: now, updatedAt: now } as const
  await collections.subscriptions.insertMany(
    externalIds.map((externalId) => ({ ...row, _id: externalId, externalId }))
  )
}

async function addFlow(
  { collections, clock }: MailerContext,
  given: Partial<FlowRow> & Pick<FlowRow, 'slug' | 'steps'>
): Promise<void> {
  const now = clock.now()
  const flow: FlowRow = {
    _id: given.slug,
    name: given.slug,
    enabled: true,
    enabledAt: now,
    trigger: { type: 'event', eventName: 'go', once: false },
    draft: null,
    version: 1,
    createdAt: now,
    updatedAt: now,
    ...given
  }
  await collections.flows.insertOne(flow)
  const { _id: flowId, version, steps } = flow
  const published = { publishedAt: now, publishedBy: 'human:test' }
  const _id = versionId(flowId, version)
  await collections.flowVersions.insertOne({ _id, flowId, version, steps, ...published })
}
