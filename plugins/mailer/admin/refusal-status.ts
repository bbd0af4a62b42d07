// The status of each refusal of the admin API.

/** Each word of the admin API: what is invalid, what is missing, what is in the way, what failed. */
const STATUS: Readonly<Record<string, number>> = {
  forbidden: 403,
  not_found: 404,
  contact_not_found: 404,
  version_not_found: 404,
  wrong_content_type: 415,
  too_large: 413,
  bad_id: 400,
  bad_expiresAt: 400,
  bad_scheduledAt: 400,
  category_unknown: 400,
  confirmedCount_required: 400,
  empty_flow: 400,
  invalid_segment: 400,
  no_email_column: 400,
  not_confirmed: 400,
  order_unsupported: 400,
  provider_unknown: 400,
  reason_required: 400,
  reply_to_invalid: 400,
  scheduledAt_required: 400,
  sender_domain_invalid: 400,
  validation_failed: 400,
  variants_not_distinct: 400,
  conflict: 409,
  slug_taken: 409,
  not_published: 409,
  not_draft: 409,
  not_paused: 409,
  already_paused: 409,
  no_address: 409,
  not_removable: 409,
  not_resendable: 409,
  not_pausable: 409,
  not_unknown: 409,
  template_in_use: 409,
  has_runs: 409,
  no_live_steps: 409,
  draft_conflict: 409,
  invalid_steps: 422,
  already_finished: 409,
  changed_meanwhile: 409,
  count_mismatch: 409,
  cap_not_raised: 409,
  stop_rule_still_breached: 409,
  template_not_found: 404,
  template_not_published: 409,
  template_not_marketing: 409,
  invalid_program: 422,
  no_draft: 409,
  already_entered: 409,
  run_not_active: 409,
  run_busy: 409,
  compile_failed: 422,
  gate_refused: 422,
  provider_failed: 502,
  vars_resolve_failed: 502
}

/** Every word that the admin API refuses a request with; checks of other plugins add their own. */
export const adminRefusalWords: readonly string[] = Object.keys(STATUS)

/** The status that a refusal is answered with: 400 for a word of another plugin. */
export function statusOfRefusal(code: string): number {
  return Object.hasOwn(STATUS, code) ? (STATUS[code] ?? 400) : 400
}
