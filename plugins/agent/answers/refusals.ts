// Every refusal of the agent API by its word: the status, a sentence, and what to do next.

/** A refusal as the table has it. */
export interface RefusalRow {
  readonly status: number
  readonly message: string
  readonly fix: string
}

/** Refusals by their word. The status of a word that is not here comes from where it was raised. */
export const REFUSALS = {
  unauthorized: {
    status: 401,
    message: 'The request has no valid token.',
    fix: 'Send Authorization: Bearer with a token of the agent API.'
  },
  too_many_requests: {
    status: 429,
    message: 'Too many requests without a valid token came from this address.',
    fix: 'Wait as long as Retry-After says, then send a valid token.'
  },
  insufficient_scope: {
    status: 403,
    message: 'The token may read, and this operation changes something.',
    fix: 'Use a token with the scope mail:write.'
  },
  route_not_allowed: {
    status: 403,
    message: 'The token may not call this address.',
    fix: 'Use another token, or add the address to the routes of this one.'
  },
  test_contacts_not_configured: {
    status: 403,
    message: 'testContacts is not configured, and this operation acts only on test contacts.',
    fix: 'Set testContacts in the configuration of the agent API.'
  },
  not_a_test_contact: {
    status: 403,
    message: 'This operation acts only on test contacts, and this address is not one of them.',
    fix: 'Use a contact whose address matches testContacts.'
  },
  suppression_removal_not_allowed: {
    status: 403,
    message: 'A token may add suppressions and not remove them.',
    fix: 'For a test contact use POST /contacts/:externalId/reset; for others ask an administrator.'
  },
  use_the_agent_route: {
    status: 403,
    message: 'This admin operation can reach people who are not test contacts.',
    fix: 'Use the route of the agent API for it; GET / lists them.'
  },
  person_not_allowed: {
    status: 403,
    message: 'The person who granted access is not an administrator of the mailer.',
    fix: 'Ask an administrator to connect the assistant.'
  },
  not_found: {
    status: 404,
    message: 'There is no such address or record.',
    fix: 'GET / lists every address.'
  },
  contact_not_found: {
    status: 404,
    message: 'The contact adapter does not have this contact.',
    fix: 'Use the id of a contact of the host.'
  },
  template_not_found: {
    status: 404,
    message: 'There is no template with this slug.',
    fix: 'GET /status lists the templates.'
  },
  flow_not_found: {
    status: 404,
    message: 'There is no flow with this slug.',
    fix: 'GET /status lists the flows.'
  },
  version_not_found: {
    status: 404,
    message: 'The flow has no such version.',
    fix: 'Leave version out for the live one.'
  },
  send_not_found: {
    status: 404,
    message: 'There is no send with this id.',
    fix: 'Use the sendId that a send answered.'
  },
  run_not_found: {
    status: 404,
    message: 'There is no run with this id.',
    fix: 'GET /runs lists the runs.'
  },
  broadcast_not_found: {
    status: 404,
    message: 'There is no broadcast with this slug.',
    fix: 'GET /broadcasts lists the broadcasts.'
  },
  segment_requires_subscribed: {
    status: 422,
    message: 'The segment does not ask for subscribed contacts at its top level.',
    fix: 'Add {"kind": "subscriptionStatus", "equals": "subscribed"} to segmentDefinition.filters.'
  },
  invalid_segment: {
    status: 422,
    message: 'The segment is invalid.',
    fix: 'Correct the filter that the message names.'
  },
  template_not_marketing: {
    status: 409,
    message: 'A broadcast sends a marketing template, and this one is transactional.',
    fix: 'Name a template of the kind marketing.'
  },
  template_not_published: {
    status: 409,
    message: 'The template of the broadcast has no published version.',
    fix: 'Publish it with PUT /templates/:slug.'
  },
  slug_taken: {
    status: 409,
    message: 'The slug is in use.',
    fix: 'Choose another slug, or change what has it.'
  },
  order_unsupported: {
    status: 400,
    message: 'The contact adapter cannot sort.',
    fix: 'Leave order out.'
  },
  variants_not_distinct: {
    status: 400,
    message: 'Two variants of the split test have one name or one template.',
    fix: 'Give each variant a name and a template that no other has.'
  },
  count_mismatch: {
    status: 409,
    message: 'confirmedCount is not the number of mails that would go out now.',
    fix: 'Look at expected; when that many are wanted, confirm it.'
  },
  not_draft: {
    status: 409,
    message: 'The broadcast is not a draft any more.',
    fix: 'Cancel it and make another.'
  },
  not_pausable: {
    status: 409,
    message: 'The broadcast is neither scheduled nor sending.',
    fix: 'GET /broadcasts/:slug shows its status.'
  },
  not_paused: {
    status: 409,
    message: 'The broadcast is not paused.',
    fix: 'GET /broadcasts/:slug shows its status.'
  },
  already_finished: {
    status: 409,
    message: 'The broadcast is over.',
    fix: 'GET /broadcasts/:slug shows its status.'
  },
  cap_not_raised: {
    status: 409,
    message: 'The broadcast reached its cap, and recipientCap is not higher.',
    fix: 'Send a recipientCap above the mails so far, or null for no cap.'
  },
  stop_rule_still_breached: {
    status: 409,
    message: 'A stop rule of the broadcast is still breached.',
    fix: 'Find out why; to go on all the same, change stopRules.'
  },
  circuit_breaker_tripped: {
    status: 409,
    message: 'The circuit breaker holds marketing mail.',
    fix: 'An administrator must resume it on the Health page.'
  },
  bad_scheduledAt: {
    status: 400,
    message: 'scheduledAt is not a time.',
    fix: 'Send a time in ISO 8601.'
  },
  bad_expiresAt: {
    status: 400,
    message: 'expiresAt is not after scheduledAt.',
    fix: 'Choose a later expiresAt, or leave it out.'
  },
  changed_meanwhile: {
    status: 409,
    message: 'The broadcast was changed at the same moment.',
    fix: 'Read it, count again, then try again.'
  },
  idempotency_key_invalid: {
    status: 400,
    message: 'The Idempotency-Key cannot be used.',
    fix: 'Send 1 to 255 visible ASCII characters with a JSON body; the API must have a database.'
  },
  idempotency_key_reused: {
    status: 409,
    message: 'The Idempotency-Key was used for another request within the last 24 hours.',
    fix: 'Use a new key for each request that differs.'
  },
  idempotency_in_flight: {
    status: 409,
    message: 'A request with this Idempotency-Key has not been answered yet.',
    fix: 'Wait as long as Retry-After says, then send it again.'
  },
  idempotency_outcome_unknown: {
    status: 409,
    message:
      'A crash cut the request with this Idempotency-Key short, and it may have been carried out.',
    fix: 'Look at what it was to change; when it did not happen, send it with a new key.'
  },
  not_published: {
    status: 409,
    message: 'The template has no published version.',
    fix: 'Publish it with PUT /templates/:slug.'
  },
  no_live_steps: {
    status: 409,
    message: 'The flow has no published steps.',
    fix: 'Publish its steps first.'
  },
  flow_is_on: {
    status: 409,
    message:
      'The flow is on and has no gate: a gate would let its contacts leave at the first step.',
    fix: 'Disarm it first, or gate it with POST /flows/:slug/gate when that is wanted.'
  },
  already_gated: {
    status: 409,
    message: 'The flow has a gate already.',
    fix: 'Take it away with POST /flows/:slug/ungate first.'
  },
  not_gated: {
    status: 409,
    message: 'The flow has no gate.',
    fix: 'GET /status shows which flows have one.'
  },
  run_not_active: {
    status: 409,
    message: 'The run is over.',
    fix: 'Start a new run: fire its event once more.'
  },
  run_busy: {
    status: 409,
    message: 'A worker holds the run at this moment.',
    fix: 'Try again.'
  },
  not_dispatchable: {
    status: 409,
    message: 'The send is not waiting any more.',
    fix: 'GET /sends/:id/wait says what became of it.'
  },
  validation_failed: {
    status: 400,
    message: 'The request is invalid.',
    fix: 'Correct the fields that are named.'
  },
  confirm_required: {
    status: 400,
    message: 'Arming a flow lets it mail real contacts.',
    fix: 'Send {"confirm": true} when that is wanted.'
  },
  fire_failed: {
    status: 400,
    message: 'The event could not be recorded.',
    fix: 'Register its name, or pass a dedupeKey.'
  },
  no_tags: {
    status: 400,
    message: 'No tags are named.',
    fix: 'Send add or remove with at least one tag.'
  },
  tag_conflict: {
    status: 400,
    message: 'A tag is named in add and in remove.',
    fix: 'Name each tag once.'
  },
  sender_domain_invalid: {
    status: 400,
    message: 'The From address must not send mail of this kind.',
    fix: 'Use a domain of senderDomains that allows this kind.'
  },
  lint_failed: {
    status: 422,
    message: 'The linter found errors.',
    fix: 'Correct every entry of lint.errors.'
  },
  compile_failed: {
    status: 422,
    message: 'The template cannot be rendered.',
    fix: 'Correct the markup that is named.'
  },
  gate_failed: {
    status: 422,
    message: 'A gate could not check the template.',
    fix: 'Try again; when it keeps failing, look at the named plugin.'
  },
  vars_resolve_failed: {
    status: 502,
    message: 'The variables of the host could not be resolved.',
    fix: 'Look at the varsAdapter of the host; then try again.'
  },
  conflict: {
    status: 409,
    message: 'It was changed at the same moment.',
    fix: 'Try again.'
  },
  request_refused: {
    status: 400,
    message: 'The server does not take the request in this form.',
    fix: 'Correct what the message names: the method, the type or the size of the body.'
  },
  internal_error: {
    status: 500,
    message: 'The operation failed.',
    fix: 'Try again; the log of the host has the reason under this request.'
  }
} as const satisfies Readonly<Record<string, RefusalRow>>
