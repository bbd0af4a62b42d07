// Why a template is not published, and what a publish answers.
import type { PublishFailure, PublishResult } from '../content/templates/publish-template.ts'
import { mailRefusals as refusals } from '../ledger/refusals.ts'

/** What may be wrong with the settings of a template. */
export const TEMPLATE_FAULTS = [
  'category_unknown',
  'provider_unknown',
  'reply_to_invalid',
  'sender_domain_invalid'
] as const

/** What may be wrong when it is published. */
export const PUBLISH_FAULTS = [
  ...TEMPLATE_FAULTS,
  'conflict',
  'draft_conflict',
  'compile_failed',
  'gate_refused',
  'version_not_found'
] as const

/** What a publish answers; gates add fields, as `lint`. */
export function published(result: PublishResult) {
  if (result.ok) {
    const { version, warnings, reports } = result
    return { ok: true as const, version, warnings, ...reports }
  }
  return refusalOf(result)
}

/** A gate answers in its own words. */
export function refusalOf(result: PublishFailure) {
  if (result.code !== 'gate_refused') return result
  const { message, refusal } = result
  return refusals.refuse('gate_refused', { message, more: { ...refusal } })
}
