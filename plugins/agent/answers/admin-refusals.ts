// Refusals of the admin API that the agent API passes on, by their word. Those of both are in refusals.ts.
import type { RefusalRow } from './refusals.ts'

/** Refusals by their word. The message here is general; that of an answer is exact. */
export const ADMIN_REFUSALS = {
  forbidden: {
    status: 403,
    message: 'The caller may not do this.',
    fix: 'Use a token whose scopes and routes allow it, or ask an administrator.'
  },
  bad_id: {
    status: 400,
    message: 'An id or slug in the address is invalid.',
    fix: 'Use an id that a list of this API answered.'
  },
  wrong_content_type: {
    status: 415,
    message: 'The route does not take a body of this type.',
    fix: 'Send application/json; only the import of suppressions takes text/csv.'
  },
  too_large: {
    status: 413,
    message: 'The file is larger than the limit.',
    fix: 'Split it, and send the parts one after another.'
  },
  no_email_column: {
    status: 400,
    message: 'The file has no column with mail addresses.',
    fix: 'Name the column email in the first line.'
  },
  draft_conflict: {
    status: 409,
    message: 'The draft was changed by another caller since it was read.',
    fix: 'Read it again, repeat the change, and send its revision in If-Match.'
  },
  no_draft: {
    status: 409,
    message: 'There is no draft to publish.',
    fix: 'Change the draft first.'
  },
  template_in_use: {
    status: 409,
    message: 'A flow, a program or a broadcast uses the template.',
    fix: 'Remove it from what the message names, then delete it.'
  },
  category_unknown: {
    status: 400,
    message: 'The category is not configured.',
    fix: 'Use a category of the configuration of the mailer, or leave it out.'
  },
  provider_unknown: {
    status: 400,
    message: 'The provider is not configured.',
    fix: 'Use a provider of the configuration of the mailer, or leave it out.'
  },
  reply_to_invalid: {
    status: 400,
    message: 'replyTo is not a mail address.',
    fix: 'Send a mail address, or null.'
  },
  gate_refused: {
    status: 422,
    message: 'A check of another plugin refused the template.',
    fix: 'Correct what the answer of that check names, then publish again.'
  },
  empty_flow: {
    status: 400,
    message: 'The draft of the flow has no steps.',
    fix: 'Add at least one step to the draft, then publish it.'
  },
  invalid_steps: {
    status: 422,
    message: 'The steps of the flow are invalid.',
    fix: 'Correct the steps that the answer names.'
  },
  invalid_program: {
    status: 422,
    message: 'The program is invalid.',
    fix: 'Correct the parts that the answer names.'
  },
  has_runs: {
    status: 409,
    message: 'Runs are active.',
    fix: 'Stop the runs, or wait until they are over.'
  },
  already_entered: {
    status: 409,
    message: 'The contact is in the program, or was.',
    fix: 'Use another test contact, or reset this one.'
  },
  scheduledAt_required: {
    status: 400,
    message: 'scheduledAt is missing.',
    fix: 'Send the time in ISO 8601.'
  },
  confirmedCount_required: {
    status: 400,
    message: 'confirmedCount is missing.',
    fix: 'Count the recipients, then send that number as confirmedCount.'
  },
  already_paused: {
    status: 409,
    message: 'All marketing mail is paused already.',
    fix: 'No change is needed.'
  },
  no_address: {
    status: 409,
    message: 'The contact has no mail address.',
    fix: 'Give the contact an address in the host, or use another contact.'
  },
  not_confirmed: {
    status: 400,
    message: 'The request does not confirm what it deletes.',
    fix: 'Send the id of the contact as confirm.'
  },
  reason_required: {
    status: 400,
    message: 'The suppression needs a reason to be removed.',
    fix: 'Ask an administrator to remove it with a reason.'
  },
  not_removable: {
    status: 409,
    message: 'This suppression cannot be removed.',
    fix: 'Leave it in place: it protects the recipient and your reputation.'
  },
  not_resendable: {
    status: 409,
    message: 'The mail cannot be sent again in its state.',
    fix: 'GET /api/sends/:id shows its state; send a new mail when one is needed.'
  },
  not_unknown: {
    status: 409,
    message: 'It is known whether this mail was sent.',
    fix: 'GET /api/sends/:id shows its state.'
  },
  provider_failed: {
    status: 502,
    message: 'The mail provider did not take the request.',
    fix: 'Try again; when it keeps failing, check the settings of the provider.'
  },
  request_refused: {
    status: 400,
    message: 'The server does not take the request in this form.',
    fix: 'Correct what the message names: the method, the type or the size of the body.'
  }
} as const satisfies Readonly<Record<string, RefusalRow>>
