// Publishes the draft of a flow, or the steps of an earlier version once more.

import { isDeepStrictEqual } from 'node:util'
import {
  type Change,
  contentAt,
  isUnchanged,
  storedDraft,
  unknown,
  unknownVersion
} from '@keelson/sdk/versions'
import type { MailerContext } from '../../ledger/context.ts'
import { defined } from '../../ledger/defined.ts'
import type { FlowContent, FlowRow } from '../../ledger/flow-rows.ts'
import type { MailWrite } from '../../ledger/mail-versioned.ts'
import { type By, enabling, type FlowResult, getFlow, writeFlow } from './flow-operations.ts'
import { refused } from './flow-refusal.ts'
import { checkSteps } from './interpret/check-steps.ts'
import { contentAgain, publishedOf, versionedFlow } from './versioned-flow.ts'

type PublishRefusal = 'not_found' | 'conflict' | 'draft_conflict' | 'invalid_steps'

/**
 * Publishes the draft as the next version, and enables the flow unless `enable` is false. A draft without changes
 * makes no version. Runs that are under way keep theirs.
 */
export async function publishFlow(
  context: MailerContext,
  slug: string,
  { enable = true }: { readonly enable?: boolean },
  by: By & { readonly ifRevision?: number }
): Promise<FlowResult<PublishRefusal | 'empty_flow'>> {
  const flow = await getFlow(context, slug)
  if (flow === null) return unknown('flow', slug)
  const content = versionedFlow.editedOf(flow)
  if (content.steps.length === 0) return refused('empty_flow', `The draft of ${slug} has no steps.`)
  return publishContent(context, flow, content, {
    write: { action: 'flow.publish', ...by },
    isDraft: true,
    isEnabling: enable
  })
}

/** Publishes an earlier version as the next one. The draft stays, enabled or not. */
export async function rollbackFlow(
  context: MailerContext,
  slug: string,
  version: number,
  by: By
): Promise<FlowResult<PublishRefusal | 'version_not_found'>> {
  const flow = await getFlow(context, slug)
  if (flow === null) return unknown('flow', slug)
  const earlier = await contentAt(context, versionedFlow, flow, version)
  if (earlier == null) return unknownVersion('flow', slug, version)
  return publishContent(context, flow, contentAgain(flow, earlier), {
    write: { action: 'flow.rollback', ...by },
    isDraft: false,
    isEnabling: false
  })
}

/** Faults of steps that may be anything; templates that they name must be published. */
export async function faultsOfSteps({ templates }: MailerContext, steps: unknown) {
  const published = await templates.load(templateSlugs(steps))
  return checkSteps(steps, new Set(published.keys()))
}

interface Publish {
  readonly write: MailWrite
  /** The content is that of the draft, which is done with then. */
  readonly isDraft: boolean
  readonly isEnabling: boolean
}

/** What changes meanwhile is neither published unread nor lost. */
async function publishContent(
  context: MailerContext,
  { slug, revision = 0 }: FlowRow,
  content: FlowContent,
  publish: Publish
): Promise<FlowResult<PublishRefusal>> {
  const faults = await faultsOfSteps(context, content.steps)
  const [first] = faults
  if (first !== undefined) return refused('invalid_steps', first.message, faults)
  return writeFlow(context, slug, { ...publish.write, since: revision }, (flow, { now }) =>
    planPublish(flow, content, { ...publish, now })
  )
}

/** What a publish changes. Pure. */
export function planPublish(
  flow: FlowRow,
  content: FlowContent,
  { write, isDraft, isEnabling, now }: Publish & { readonly now: Date }
): Change<FlowRow> {
  const isNew = !isUnchanged(flow, publishedOf(flow), content)
  const enabled = isEnabling && (isNew || !flow.enabled) ? enabling(flow, now, write) : {}
  const { notes } = flow.draft ?? {}
  const kept = isDraft || flow.draft === null ? null : versionedFlow.editedOf(flow)
  const draft = kept && storedDraft(flow, content, { ...kept, ...defined({ notes }) })
  const cleared = { ...enabled, ...(flow.draft !== draft && { draft }) }
  if (!isNew) return { ok: true, set: cleared }
  return {
    ok: true,
    set: { ...content, gate: null, ...startOf(flow, content, now), ...cleared },
    publish: { by: write.actor, stored: content }
  }
}

/** Another trigger counts from its publish on: what happened before starts no run by it. */
function startOf(flow: FlowRow, content: FlowContent, now: Date): Partial<FlowRow> {
  const { once: _before, ...before } = flow.trigger
  const { once: _after, ...after } = content.trigger ?? flow.trigger
  return flow.enabled && !isDeepStrictEqual(before, after) ? { enabledAt: now } : {}
}

/** Every template that steps name, of a draft that may be anything. */
function templateSlugs(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  const { templateSlug } = value as { readonly templateSlug?: unknown }
  const own = typeof templateSlug === 'string' ? [templateSlug] : []
  return [...new Set([...own, ...Object.values(value).flatMap(templateSlugs)])]
}
