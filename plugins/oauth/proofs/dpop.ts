// DPoP (RFC 9449) with the nonces of this server, and proofs that count once in every process.
import { createDpopChecker, type DpopChecker } from '@keelson/protect/rules'
import type { Settings } from '../config/settings.ts'
import type { ServerSecret } from '../keys/server-secret.ts'
import { REPLAY_MARGIN_SECONDS, type ReplayBook } from './replay-book.ts'

export function createServerDpop(
  settings: Settings,
  secret: ServerSecret,
  replays: ReplayBook
): DpopChecker {
  return createDpopChecker({
    now: () => settings.now(),
    requiresNonce: settings.requiresDpopNonce,
    nonceAt: (span) => secret.mac('dpop-nonce', String(span)),
    isFirst: (text, until) =>
      replays.isFirst(text, new Date(until.getTime() + REPLAY_MARGIN_SECONDS * 1000))
  })
}
