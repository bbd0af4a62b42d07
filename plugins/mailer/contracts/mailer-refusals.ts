// Every word that the mailer refuses a call with: its status, a sentence, and what to do next.
import type { RefusalTable } from '@keelson/sdk'

/** The refusals of the mailer's operations, by their word: for operations that pass them on. */
export const mailerRefusals = {
  not_found: {
    status: 404,
    message: 'It was not found.',
    fix: 'Use a slug or an id that a list of this API answered.'
  },
  contact_not_found: {
    status: 404,
    message: 'The contact adapter does not have this contact.',
    fix: 'Use the id of a contact of the host.'
  },
  version_not_found: {
    status: 404,
    message: 'There is no such version.',
    fix: 'Use a version that the list of versions names.'
  },
  too_large: {
    status: 413,
    message: 'The file is larger than the limit.',
    fix: 'Split it, and send the parts one after another.'
  },
  bad_id: {
    status: 400,
    message: 'An id or slug in the address is invalid.',
    fix: 'Use an id that a list of this API answered.'
  },
  bad_expiresAt: {
    status: 400,
    message: 'expiresAt is not after scheduledAt.',
    fix: 'Choose a later expiresAt, or leave it out.'
  },
  bad_scheduledAt: {
    status: 400,
    message: 'scheduledAt is not a time, or is more than a day ago.',
    fix: 'Send a time in ISO 8601: now, or later.'
  },
  category_unknown: {
    status: 400,
    message: 'The category is not configured.',
    fix: 'Use a category of the configuration of the mailer, or leave it out.'
  },
  confirmedCount_required: {
    status: 400,
    message: 'confirmedCount is missing.',
    fix: 'Count the recipients, then send that number as confirmedCount.'
  },
  empty_flow: {
    status: 400,
    message: 'The draft of the flow has no steps.',
    fix: 'Add at least one step to the draft, then publish it.'
  },
  invalid_segment: {
    status: 400,
    message: 'The segment is invalid.',
    fix: 'Correct the filter that the message names.'
  },
  no_email_column: {
    status: 400,
    message: 'The file has no column with mail addresses.',
    fix: 'Name the column email in the first line.'
  },
  not_confirmed: {
    status: 400,
    message: 'The request does not confirm what it deletes.',
    fix: 'Send the id of the contact as confirm.'
  },
  order_unsupported: {
    status: 400,
    message: 'The contact adapter cannot sort.',
    fix: 'Leave order out.'
  },
  provider_unknown: {
    status: 400,
    message: 'The provider is not configured.',
    fix: 'Use a provider of the configuration of the mailer, or leave it out.'
  },
  reason_required: {
    status: 400,
    message: 'The suppression needs a reason to be removed.',
    fix: 'Send the reason.'
  },
  reply_to_invalid: {
    status: 400,
    message: 'replyTo is not a mail address.',
    fix: 'Send a mail address, or null.'
  },
  scheduledAt_required: {
    status: 400,
    message: 'scheduledAt is missing.',
    fix: 'Send the time in ISO 8601.'
  },
  sender_domain_invalid: {
    status: 400,
    message: 'The From address must not send mail of this kind.',
    fix: 'Use a domain of senderDomains that allows this kind.'
  },
  invalid_texts: {
    status: 422,
    message: 'A subject or preheader of the broadcast has a mistake.',
    fix: 'Correct the placeholder that the message names.'
  },
  variants_not_distinct: {
    status: 400,
    message: 'Two variants of the split test have one name, or one template with the same texts.',
    fix: 'Give each variant a name, and a template, subject or preheader that no other has.'
  },
  conflict: {
    status: 409,
    message: 'It was changed at the same moment.',
    fix: 'Try again.'
  },
  slug_taken: {
    status: 409,
    message: 'The slug is in use.',
    fix: 'Choose another slug, or change what has it.'
  },
  not_published: {
    status: 409,
    message: 'The template has no published version.',
    fix: 'Publish it first.'
  },
  not_draft: {
    status: 409,
    message: 'The broadcast is not a draft any more.',
    fix: 'Cancel it and make another.'
  },
  not_paused: {
    status: 409,
    message: 'It is not paused.',
    fix: 'Read it again: its status has changed.'
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
  not_removable: {
    status: 409,
    message: 'This suppression cannot be removed.',
    fix: 'Leave it in place: it protects the recipient and your reputation.'
  },
  not_resendable: {
    status: 409,
    message: 'The mail cannot be sent again in its state.',
    fix: 'Read the mail: its status says why. Send a new mail when one is needed.'
  },
  not_started: {
    status: 409,
    message: 'The broadcast has not started.',
    fix: 'Wait until its mails are out.'
  },
  not_retryable: {
    status: 409,
    message: 'Only a broadcast that sends or has sent can be retried.',
    fix: 'Resume it when it is paused. When it was cancelled, make a new one.'
  },
  not_pausable: {
    status: 409,
    message: 'The broadcast is neither scheduled nor sending.',
    fix: 'Read it again: its status has changed.'
  },
  not_unknown: {
    status: 409,
    message: 'It is known whether this mail was sent.',
    fix: 'Read the mail: its status says it.'
  },
  segment_in_use: {
    status: 409,
    message: 'A broadcast or a flow uses the segment.',
    fix: 'Take it out of what the message names, then delete it.'
  },
  template_in_use: {
    status: 409,
    message: 'A flow, a broadcast or another campaign uses the template.',
    fix: 'Remove it from what the message names, then delete it.'
  },
  has_runs: {
    status: 409,
    message: 'Runs are active.',
    fix: 'Stop the runs, or wait until they are over.'
  },
  no_live_steps: {
    status: 409,
    message: 'The flow has no published steps.',
    fix: 'Publish its steps first.'
  },
  draft_conflict: {
    status: 409,
    message: 'The draft was changed by another caller since it was read.',
    fix: 'Read it again, repeat the change, and send its revision in If-Match.'
  },
  invalid_steps: {
    status: 422,
    message: 'The steps of the flow are invalid.',
    fix: 'Correct the steps that the answer names.'
  },
  already_finished: {
    status: 409,
    message: 'The broadcast is over.',
    fix: 'Make a new one when more mail is needed.'
  },
  changed_meanwhile: {
    status: 409,
    message: 'The broadcast was changed at the same moment.',
    fix: 'Read it, count again, then try again.'
  },
  count_mismatch: {
    status: 409,
    message: 'confirmedCount is not the number of mails that would go out now.',
    fix: 'Look at expected; when that many are wanted, confirm it.'
  },
  cap_not_raised: {
    status: 409,
    message: 'The broadcast reached its cap, and recipientCap is not higher.',
    fix: 'Send a recipientCap above the mails so far, or null for no cap.'
  },
  no_wave_waits: {
    status: 409,
    message: 'No wave of the broadcast waits for its time.',
    fix: 'Read the broadcast: nextWaveAt says when the next wave begins.'
  },
  too_many_waves: {
    status: 409,
    message: 'A broadcast has at most 100 waves, and these would be more.',
    fix: 'Make the waves larger.'
  },
  stop_rule_still_breached: {
    status: 409,
    message: 'A stop rule of the broadcast is still breached.',
    fix: 'Find out why; to go on all the same, change stopRules.'
  },
  template_not_found: {
    status: 404,
    message: 'There is no template with this slug.',
    fix: 'Use the slug of a template that the list names.'
  },
  template_not_published: {
    status: 409,
    message: 'The template of the broadcast has no published version.',
    fix: 'Publish the template first.'
  },
  template_not_marketing: {
    status: 409,
    message: 'A broadcast sends a marketing template, and this one is transactional.',
    fix: 'Name a template of the kind marketing.'
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
  compile_failed: {
    status: 422,
    message: 'The template cannot be rendered.',
    fix: 'Correct the markup that is named.'
  },
  gate_refused: {
    status: 422,
    message: 'A check of another plugin refused the template.',
    fix: 'Correct what the answer of that check names, then publish again.'
  },
  provider_failed: {
    status: 502,
    message: 'The mail provider did not take the request.',
    fix: 'Try again; when it keeps failing, check the settings of the provider.'
  },
  vars_resolve_failed: {
    status: 502,
    message: 'The variables of the host could not be resolved.',
    fix: 'Look at the varsAdapter of the host; then try again.'
  },
  already_gated: {
    status: 409,
    message: 'The flow has a gate already.',
    fix: 'Take the gate away first.'
  },
  not_gated: {
    status: 409,
    message: 'The flow has no gate.',
    fix: 'Read it again: its gate was taken away.'
  },
  image_in_use: {
    status: 409,
    message: 'A template or the look of a sender shows the picture.',
    fix: 'Take it out of what the message names, then delete it.'
  },
  too_many_images: {
    status: 409,
    message: 'There are as many pictures as there may be.',
    fix: 'Delete a picture that no template shows.'
  },
  not_an_image: {
    status: 422,
    message: 'The file is not a picture that mail programs show.',
    fix: 'Send a PNG, JPEG, GIF or WebP file.'
  }
} as const satisfies RefusalTable
