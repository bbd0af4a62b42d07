// Version 1 of the API, which ends: reputation tiers by day. Pure.
import { type DayStats, emptyDay } from './day-stats.ts'
import { dateOf, fieldsOf, listOf, ratioOf, textOf } from './json-fields.ts'

/** The days of `trafficStats`, newest first. A row without a date is left out. */
export function readTrafficStats(answer: unknown): readonly DayStats[] {
  const days = listOf(fieldsOf(answer)['trafficStats']).flatMap((row) => readDay(row))
  return days.sort((a, b) => (a.date < b.date ? 1 : -1))
}

function readDay(row: unknown): readonly DayStats[] {
  const fields = fieldsOf(row)
  const name = typeof fields['name'] === 'string' ? fields['name'] : ''
  const [, year, month, day] = /\/(\d{4})(\d{2})(\d{2})$/.exec(name) ?? []
  const date = dateOf(year, month, day)
  if (date === null) return []
  const reputation = textOf(fields['domainReputation'])
  return [
    {
      ...emptyDay(date),
      userReportedSpamRatio: ratioOf(fields['userReportedSpamRatio']),
      domainReputation: reputation === 'REPUTATION_CATEGORY_UNSPECIFIED' ? null : reputation,
      spfSuccessRatio: ratioOf(fields['spfSuccessRatio']),
      dkimSuccessRatio: ratioOf(fields['dkimSuccessRatio']),
      dmarcSuccessRatio: ratioOf(fields['dmarcSuccessRatio']),
      inboundEncryptionRatio: ratioOf(fields['inboundEncryptionRatio']),
      outboundEncryptionRatio: ratioOf(fields['outboundEncryptionRatio']),
      deliveryErrors: listOf(fields['deliveryErrors']).slice(0, 100).flatMap(readError),
      spammyFeedbackLoops: listOf(fields['spammyFeedbackLoops']).slice(0, 100).flatMap(readLoop)
    }
  ]
}

function readError(error: unknown): DayStats['deliveryErrors'] {
  const { errorClass, errorType, errorRatio } = fieldsOf(error)
  const name = textOf(errorClass)
  const ratio = ratioOf(errorRatio)
  if (name === null || ratio === null) return []
  return [{ errorClass: name, errorType: textOf(errorType), errorRatio: ratio }]
}

function readLoop(loop: unknown): DayStats['spammyFeedbackLoops'] {
  const { id, spamRatio } = fieldsOf(loop)
  const name = textOf(id)
  return name === null ? [] : [{ id: name, spamRatio: ratioOf(spamRatio) }]
}
