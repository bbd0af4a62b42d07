// Why a domain is ready for its next policy.
import { defineSentences } from '@keelson/sdk'

/** By code; pages have the same in other languages. */
export const policySentences = {
  'policy.ready':
    '{reports} reports of the last {days} days about {messages} messages: {rate}% pass, {needed}% are needed, and no unknown source fails.'
} as const

export const say = defineSentences(policySentences)
