// How a pause of all marketing mail holds a mail. Pure.
import { type MarketingPause, PAUSE_ROW } from '../../ledger/state-row.ts'
import type { NamedHold } from './ask-gates.ts'

/** Seconds until a held mail is looked at again. */
const AGAIN_SECONDS = 30

/** Broadcasts are paused under the name of its gate. */
export const holdOfPause = ({ by, reason }: MarketingPause): NamedHold => ({
  gate: PAUSE_ROW,
  error: 'marketing_paused',
  message: `All marketing mail was paused by ${by}: ${reason}`,
  pauseBroadcast: true,
  retryAfterSeconds: AGAIN_SECONDS
})
