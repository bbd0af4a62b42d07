// Every refusal of the agent API by its word: those of the mailer that it passes on, and its own.
import { mailerRefusals } from '@keelson/mailer/contracts'
import { defineRefusals } from '@keelson/sdk'

/** The status of a word that is not here comes from where it was raised. */
export const refusals = defineRefusals({
  ...mailerRefusals,
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
  foreign_origin: {
    status: 403,
    message: 'The request comes from a page of another site.',
    fix: 'Call /mcp from a program, sign in with OAuth from a site that has a callback of the client, or add the origin to `origins` or `peopleOrigins`.'
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
  not_open_to_agents: {
    status: 403,
    message: 'The plugin of this operation does not open it to tokens.',
    fix: 'Ask an administrator to do it, or the author of the plugin to open it.'
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
  flow_not_found: {
    status: 404,
    message: 'There is no flow with this slug.',
    fix: 'GET /status lists the flows.'
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
  token_not_found: {
    status: 404,
    message: 'There is no agent token with this id.',
    fix: 'Use an id that the list of tokens answered.'
  },
  token_over: {
    status: 409,
    message: 'The token was revoked or has expired.',
    fix: 'Make a new one.'
  },
  token_cannot_grow: {
    status: 409,
    message: 'The change gives the token a scope, an address or a time that it does not have.',
    fix: 'Make a new token with what is needed, and revoke this one.'
  },
  token_limit_reached: {
    status: 409,
    message: 'The tenant has 100 tokens in force, which is the limit.',
    fix: 'Revoke tokens that are not used any more.'
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
  circuit_breaker_tripped: {
    status: 409,
    message: 'The circuit breaker holds marketing mail.',
    fix: 'An administrator must resume it on the Health page.'
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
  lint_failed: {
    status: 422,
    message: 'The linter found errors.',
    fix: 'Correct every entry of lint.errors.'
  },
  gate_failed: {
    status: 422,
    message: 'A gate could not check the template.',
    fix: 'Try again; when it keeps failing, look at the named plugin.'
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
})

/** A word of the table. */
export type RefusalCode = keyof typeof refusals.table
