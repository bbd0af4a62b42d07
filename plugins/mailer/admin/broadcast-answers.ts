// What the operations of broadcasts answer, written for their readers.
import { Type } from '@keelson/sdk'
import { mailCountsSchema } from '../campaigns/broadcasts/count-mails.ts'
import type { StatusBreakdown } from '../campaigns/broadcasts/measure-broadcast.ts'
import { WAIT_REASONS } from '../campaigns/broadcasts/waits-of-broadcast.ts'
import { LEFT_OUT_REASONS } from '../ledger/broadcast-row.ts'
import { rowNamesSchema } from '../ledger/names.ts'
import { time } from './admin-operation.ts'
import { segmentCountSchema } from './segment-answers.ts'

const optional = Type.Optional
const text = Type.String()
const count = Type.Integer()
const stopRule = Type.Enum(['hard_bounce', 'complaint', 'unsubscribe'])

const pauseSchema = Type.Object(
  {
    code: Type.Enum(['cap_reached', 'stop_rule', 'gate', 'manual']),
    by: text,
    cause: optional(Type.String({ description: 'Why, as the cause of a hold.' })),
    message: text,
    at: time
  },
  { title: 'BroadcastPause' }
)

const line = {
  slug: text,
  name: text,
  templateSlug: text,
  names: optional(rowNamesSchema),
  subject: optional(Type.String({ description: 'In the place of that of the template.' })),
  preheader: optional(text),
  status: Type.Enum(['draft', 'scheduled', 'sending', 'paused', 'sent', 'cancelled', 'failed']),
  scheduledAt: optional(time),
  expiresAt: optional(time),
  startedAt: optional(time),
  finishedAt: optional(time),
  recipientCount: optional(count),
  audienceCount: optional(Type.Integer({ description: '`recipientCount` without the cap.' })),
  recipientCap: optional(count),
  queuedCount: Type.Integer({ description: 'Mails queued so far.' }),
  pauseReason: optional(pauseSchema),
  failure: optional(Type.Object({ code: text, message: text })),
  createdBy: text,
  createdAt: time,
  updatedAt: time
}

/** A broadcast in a list. */
export const broadcastLineSchema = Type.Object(line, { title: 'BroadcastLine' })

const arm = { name: text, templateSlug: text }
const variantSchema = Type.Object(
  {
    ...arm,
    handed: count,
    reactions: Type.Integer({ description: 'Mails that a person opened or clicked.' })
  },
  { title: 'VariantReactions' }
)

const broadcast = {
  ...line,
  revision: Type.Integer({ description: 'For `If-Match` of the next change.' }),
  segmentDefinition: Type.Unknown({ description: 'The filters of its segment.' }),
  confirmedCount: optional(count),
  respectRecipientTimezone: Type.Boolean(),
  wavePlan: optional(
    Type.Object(
      {
        people: optional(Type.Integer({ description: 'People of each wave.' })),
        percent: optional(Type.Number({ description: 'Share of all recipients in each wave.' })),
        everyMinutes: count
      },
      { title: 'WavePlan', description: 'Waves that go out by themselves.' }
    )
  ),
  nextWaveAt: optional(
    Type.String({
      format: 'date-time',
      description: 'When the next wave begins by itself, if nothing holds it.'
    })
  ),
  order: optional(Type.Object({ field: text, direction: Type.Enum(['asc', 'desc']) })),
  stopRules: Type.Object(
    {
      enabled: Type.Boolean(),
      hardBounceRatePct: Type.Number(),
      complaintRatePct: Type.Number(),
      unsubscribeRatePct: Type.Number(),
      minSample: count
    },
    { title: 'StopRules' }
  ),
  splitTest: optional(
    Type.Object(
      {
        variants: Type.Array(
          Type.Object({
            name: text,
            templateSlug: text,
            subject: optional(text),
            preheader: optional(text)
          })
        ),
        testPercent: Type.Number(),
        winner: Type.Enum(['human_opens', 'human_clicks']),
        decideAfterHours: Type.Number()
      },
      { title: 'SplitTest' }
    )
  ),
  splitPhase: optional(Type.Enum(['test', 'deciding', 'rest'])),
  winner: optional(Type.String({ description: 'Name of the variant that won.' })),
  pauses: optional(Type.Array(pauseSchema))
}

/** A broadcast. */
export const broadcastSchema = Type.Object(broadcast, { title: 'Broadcast' })

/** Mails or recipients that wait for one cause. */
export const waitSchema = Type.Object(
  {
    reason: Type.Enum([...WAIT_REASONS], {
      description:
        '`provider`: mails for one that takes no mail. `pause`: mails, until a pause of the broadcast, of marketing mail or of a gate ends. `winner`: recipients who get the better arm of the split test. `wave`: recipients of the waves that follow. `window`: mails that may reach their recipient later.'
    }),
    count,
    since: time,
    until: optional(
      Type.String({
        format: 'date-time',
        description: 'When the wait of the last of them ends by itself.'
      })
    ),
    provider: optional(Type.String({ description: 'The provider that takes no mail.' })),
    cause: optional(
      Type.String({
        description:
          'Of a window: `time_zone`, `warm_up`, or the rule of the contact policy. Of a wave: `time`, `mails` of the wave before, or the code of the pause; none where a person lets it out.'
      })
    ),
    message: optional(Type.String({ description: 'Why, for people.' }))
  },
  { title: 'BroadcastWait' }
)

/** How far its mails came. */
export const resultsSchema = Type.Object(
  {
    total: mailCountsSchema,
    variants: optional(
      Type.Array(
        Type.Object({
          ...arm,
          names: optional(rowNamesSchema),
          subject: optional(text),
          isWinner: Type.Boolean(),
          ...mailCountsSchema.properties
        })
      )
    ),
    /** Of the winner, to those who waited for it; no part of `variants`. */
    rest: optional(mailCountsSchema),
    significance: optional(
      Type.Object(
        {
          verdict: Type.Enum(['better', 'open', 'too_few'], {
            description: '`open`: the difference may be chance.'
          }),
          best: text,
          next: text,
          pValue: Type.Number({
            description: 'How often chance alone makes a difference as large, from 0 to 1.'
          }),
          difference: Type.Number({ description: 'Rate of the best less that of the next.' }),
          low: Type.Number({ description: 'Begin of the 95 % interval of the difference.' }),
          high: Type.Number(),
          needed: Type.Union([count, Type.Null()], {
            description: 'Mails of each arm that would tell such a difference apart.'
          })
        },
        { description: 'Whether the arm with the highest rate differs from the next by chance.' }
      )
    )
  },
  { title: 'BroadcastResults' }
)

const progressSchema = Type.Object(
  {
    handed: Type.Integer({ description: 'Mails that were handed over.' }),
    total: Type.Integer({
      description: 'All who get a mail, also those who wait for a wave or a winner.'
    }),
    waves: Type.Array(
      Type.Object({
        size: count,
        handed: count,
        startedAt: optional(
          Type.String({
            format: 'date-time',
            description: 'Missing: it has not begun.'
          })
        ),
        startsAt: optional(
          Type.String({
            format: 'date-time',
            description:
              'When it begins by itself; missing where it waits for a person, or something holds it.'
          })
        )
      })
    ),
    perMinute: optional(
      Type.Number({ description: 'Over the last ten minutes; missing while no mail leaves.' })
    ),
    endsAt: optional(
      Type.String({
        format: 'date-time',
        description: 'When the queued mails are out at this rate.'
      })
    )
  },
  { title: 'BroadcastProgress' }
)

const meterSchema = Type.Object(
  {
    rule: stopRule,
    count,
    sample: Type.Integer({ description: 'Delivered and bounced mails.' }),
    ratePct: Type.Number(),
    limitPct: Type.Number(),
    left: Type.Integer({
      description: 'How many more pause the broadcast; 0: the limit is passed.'
    })
  },
  { title: 'StopMeter' }
)

/** A broadcast with its progress. */
export const broadcastDetailSchema = Type.Object(
  {
    ...broadcast,
    stats: Type.Object({ total: count }),
    statusBreakdown: Type.Unsafe<StatusBreakdown>(
      Type.Record(text, count, { description: 'Mails by status; others are left out.' })
    ),
    retryable: Type.Integer({ description: 'Failed mails that a retry would send.' }),
    leftOut: Type.Object(
      {
        not_subscribed: Type.Integer({
          description: 'No subscription, or one that was ended or not confirmed.'
        }),
        suppressed: Type.Integer({ description: 'Their address is suppressed.' }),
        same_address: Type.Integer({
          description: 'Another contact with their address got the mail.'
        }),
        no_address: Type.Integer({ description: 'They have no valid address.' }),
        policy: Type.Integer({
          description: 'Their mail waited for the contact policy as long as it may.'
        }),
        never_mailed: Type.Integer({
          description: 'Their address had no mail before, and a person resumed without such.'
        })
      },
      { description: 'Contacts of the segment that got no mail, by reason.' }
    ),
    capProgress: Type.Object({
      recipientCap: Type.Union([count, Type.Null()], { description: 'null: no cap.' }),
      sendsSoFar: count,
      remaining: Type.Union([count, Type.Null()])
    }),
    waiting: Type.Array(waitSchema, {
      description: 'Mails and recipients that wait, by what for.'
    }),
    variants: optional(Type.Array(variantSchema)),
    progress: progressSchema,
    stopMeters: Type.Array(meterSchema, {
      description: 'How far each stop rule is from its limit; none where they are off.'
    }),
    decidesAt: optional(time),
    results: resultsSchema
  },
  { title: 'BroadcastDetail' }
)

/** A broadcast that is cancelled. */
export const cancelledSchema = Type.Object(
  { ...broadcast, cancelledSends: count },
  { title: 'BroadcastCancelled' }
)

/** A broadcast whose failed mails are sent again. */
export const retriedSchema = Type.Object(
  { ...broadcast, retriedSends: count },
  { title: 'BroadcastRetried' }
)

/** Why a contact of the segment got no mail. */
export const leftOutReasonSchema = Type.Enum([...LEFT_OUT_REASONS])

/** A contact of the segment that got no mail. */
export const leftOutSchema = Type.Object(
  {
    externalId: text,
    reason: leftOutReasonSchema,
    detail: optional(
      Type.String({
        description:
          'The status of the subscription, why the address is suppressed, or the rule of the policy.'
      })
    ),
    at: time
  },
  { title: 'LeftOut' }
)

/** What people did with a broadcast. */
export const reportSchema = Type.Object(
  {
    links: Type.Array(
      Type.Object({
        url: text,
        people: Type.Integer({ description: 'Mails in which a person clicked it.' }),
        machines: Type.Integer({ description: 'Mails in which only machines did.' })
      }),
      { description: 'The most clicked first, at most 50.' }
    ),
    isPartial: Type.Boolean({ description: 'The links of 20,000 clicked mails are counted.' }),
    hours: Type.Array(
      Type.Object({
        at: time,
        sent: optional(count),
        delivered: optional(count),
        bounced: optional(count),
        opened: optional(count),
        openedByPeople: optional(count),
        clicked: optional(count)
      }),
      { description: 'Hours in which anything happened. Kept for 60 days.' }
    )
  },
  { title: 'BroadcastReport' }
)

/** Whom a resume leaves out. */
export const leaveOutSchema = Type.Literal('never_mailed', {
  description: 'Addresses that had no mail before. The stop rules then count anew.'
})

/** Who would be mailed. */
export const recipientCountSchema = Type.Object(
  {
    recipientCount: Type.Integer({ description: 'Still to be mailed within the cap.' }),
    uncappedRecipientCount: count,
    heldSends: Type.Integer({ description: 'Queued mails that go out when it is resumed.' }),
    alreadySent: count,
    eligible: count,
    segment: optional(segmentCountSchema),
    breach: optional(
      Type.Object(
        { rule: stopRule, count, sample: count, ratePct: Type.Number(), limitPct: Type.Number() },
        { description: 'The stop rule that keeps it from being resumed.' }
      )
    ),
    computedMs: count
  },
  { title: 'RecipientCount' }
)
