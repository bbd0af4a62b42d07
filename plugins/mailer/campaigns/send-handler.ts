// The handler of mails: the hand-off, with what broadcasts, flows and campaigns of other plugins say about theirs.
import type { CampaignRules } from '../delivery/sends/campaign-rules.ts'
import { createDispatch } from '../delivery/sends/dispatch.ts'
import type { MailerContext } from '../ledger/context.ts'
import { pauseBroadcast } from './broadcasts/pause-broadcasts.ts'
import { foreignHolds, foreignStops } from './foreign-campaigns.ts'
import { ownerHolds } from './owner-hold.ts'

const rules: CampaignRules = {
  results: foreignStops,
  holds: async (context, sends) =>
    new Map([...(await ownerHolds(context, sends)), ...(await foreignHolds(context, sends))]),
  async pause(context, _id, { gate: by, error: cause, message }) {
    await pauseBroadcast(context, { _id }, { code: 'gate', by, cause, message })
  }
}

/** Makes the handler of the queues of mails. */
export const createSendHandler = (
  context: MailerContext,
  options: { readonly freshMs?: number } = {}
) => createDispatch(context, rules, options)
