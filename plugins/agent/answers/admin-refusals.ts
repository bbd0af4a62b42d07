// Refusals of the admin API that the agent API passes on, by their word. Those of both are in refusals.ts.
import { statusOfRefusal } from '@keelson/mailer'
import type { RefusalRow } from './refusals.ts'

const TEXTS: Readonly<Record<string, Omit<RefusalRow, 'status'>>> = {
  forbidden: {
    message: 'The caller may not do this.',
    fix: 'Use a token whose scopes and routes allow it, or ask an administrator.'
  },
  bad_id: {
    message: 'An id or slug in the address is invalid.',
    fix: 'Use an id that a list of this API answered.'
  },
  wrong_content_type: {
    message: 'The route does not take a body of this type.',
    fix: 'Send application/json; only the import of suppressions takes text/csv.'
  },
  too_large: {
    message: 'The file is larger than the limit.',
    fix: 'Split it, and send the parts one after another.'
  },
  no_email_column: {
    message: 'The file has no column with mail addresses.',
    fix: 'Name the column email in the first line.'
  },
  draft_conflict: {
    message: 'The draft was changed by another caller since it was read.',
    fix: 'Read it again, repeat the change, and send its revision in If-Match.'
  },
  no_draft: {
    message: 'There is no draft to publish.',
    fix: 'Change the draft first.'
  },
  template_in_use: {
    message: 'A flow, a program or a broadcast uses the template.',
    fix: 'Remove it from what the message names, then delete it.'
  },
  category_unknown: {
    message: 'The category is not configured.',
    fix: 'Use a category of the configuration of the mailer, or leave it out.'
  },
  provider_unknown: {
    message: 'The provider is not configured.',
    fix: 'Use a provider of the configuration of the mailer, or leave it out.'
  },
  reply_to_invalid: {
    message: 'replyTo is not a mail address.',
    fix: 'Send a mail address, or null.'
  },
  gate_refused: {
    message: 'A check of another plugin refused the template.',
    fix: 'Correct what the answer of that check names, then publish again.'
  },
  empty_flow: {
    message: 'The draft of the flow has no steps.',
    fix: 'Add at least one step to the draft, then publish it.'
  },
  invalid_steps: {
    message: 'The steps of the flow are invalid.',
    fix: 'Correct the steps that the answer names.'
  },
  invalid_program: {
    message: 'The program is invalid.',
    fix: 'Correct the parts that the answer names.'
  },
  has_runs: {
    message: 'Runs are active.',
    fix: 'Stop the runs, or wait until they are over.'
  },
  already_entered: {
    message: 'The contact is in the program, or was.',
    fix: 'Use another test contact, or reset this one.'
  },
  scheduledAt_required: {
    message: 'scheduledAt is missing.',
    fix: 'Send the time in ISO 8601.'
  },
  confirmedCount_required: {
    message: 'confirmedCount is missing.',
    fix: 'Count the recipients, then send that number as confirmedCount.'
  },
  already_paused: {
    message: 'All marketing mail is paused already.',
    fix: 'No change is needed.'
  },
  no_address: {
    message: 'The contact has no mail address.',
    fix: 'Give the contact an address in the host, or use another contact.'
  },
  not_confirmed: {
    message: 'The request does not confirm what it deletes.',
    fix: 'Send the id of the contact as confirm.'
  },
  reason_required: {
    message: 'The suppression needs a reason to be removed.',
    fix: 'Ask an administrator to remove it with a reason.'
  },
  not_removable: {
    message: 'This suppression cannot be removed.',
    fix: 'Leave it in place: it protects the recipient and your reputation.'
  },
  not_resendable: {
    message: 'The mail cannot be sent again in its state.',
    fix: 'GET /api/sends/:id shows its state; send a new mail when one is needed.'
  },
  not_unknown: {
    message: 'It is known whether this mail was sent.',
    fix: 'GET /api/sends/:id shows its state.'
  },
  provider_failed: {
    message: 'The mail provider did not take the request.',
    fix: 'Try again; when it keeps failing, check the settings of the provider.'
  }
}

/** Refusals by their word. The message here is general; that of an answer is exact. */
export const ADMIN_REFUSALS: Readonly<Record<string, RefusalRow>> = Object.fromEntries(
  Object.entries(TEXTS).map(([word, texts]) => [word, { status: statusOfRefusal(word), ...texts }])
)
