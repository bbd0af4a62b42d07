// What Gmail knows about sender domains, for the readiness checklist. Pure.
import type { SenderFacts } from '@keelson/mailer/contracts'
import type { PostmasterReport } from './operations/report.ts'

const RECEIVER = 'Gmail'

/** Of the latest day that is stored. */
export function gmailFacts(
  { domains }: Pick<PostmasterReport, 'domains'>,
  asked: readonly string[]
): readonly SenderFacts[] {
  return domains
    .filter(({ domain }) => asked.includes(domain))
    .map(({ domain, latest, compliance }) => {
      const rate = latest?.userReportedSpamRatio ?? null
      // Inbound is seen from Gmail: mail of this domain to its users.
      const encrypted = latest?.inboundEncryptionRatio ?? null
      const oneClick = compliance.find(({ requirement }) => requirement === 'ONE_CLICK_UNSUBSCRIBE')
      return {
        domain,
        ...(latest !== null &&
          rate !== null && { spamRate: { rate, receiver: RECEIVER, date: latest.date } }),
        ...(encrypted !== null && { encryptedRate: { rate: encrypted, receiver: RECEIVER } }),
        ...(oneClick !== undefined && {
          oneClick: { isMet: oneClick.status === 'COMPLIANT', receiver: RECEIVER }
        })
      }
    })
}
