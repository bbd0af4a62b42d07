// Simulation of a flow for many contacts over many days, and beside it another version.
import { type CohortRequest, type CohortSimulation, simulateCohort } from '@keelson/mailer'
import { Type } from '@keelson/sdk'
import type { MailContact } from '@keelson/sdk/contracts/mailer-core'
import { type Refusal, refused } from '../answers/refusal.ts'
import { number, object, text } from '../answers/shapes.ts'
import {
  answer,
  invalid,
  type Operation,
  type OperationAnswer,
  type OperationCall
} from './operation.ts'

type Simulated = Extract<CohortSimulation, { readonly ok: true }>

interface Body {
  readonly contactIds?: readonly string[]
  readonly synthetic?: {
    readonly count: number
    readonly tags?: readonly string[]
    readonly fields?: Readonly<Record<string, unknown>>
  }
  readonly days: number
  readonly enterOverDays?: number
  readonly at?: string
  readonly version?: number
  readonly compareWith?: number
  readonly eventProperties?: Readonly<Record<string, unknown>>
}

const MOST_CONTACTS = 1000
const MOST_SYNTHETIC = 10_000

async function simulateMany(call: OperationCall): Promise<OperationAnswer | Refusal> {
  const { agent, params, progress } = call
  const body = call.body as unknown as Body
  const { contactIds = [], at, version, compareWith, enterOverDays = 1, days } = body
  if (contactIds.length === 0 && body.synthetic === undefined)
    return invalid('contactIds', 'or synthetic must be there')
  const time = at === undefined ? agent.context.clock.now() : new Date(at)
  if (Number.isNaN(time.getTime())) return invalid('at', 'must be a date')
  const contacts = await agent.context.adapter.getBatch([...contactIds])
  const missing = contactIds.find((id) => !contacts.has(id))
  if (missing !== undefined)
    return refused('contact_not_found', { message: `There is no contact ${missing}.` })
  const startedAt = performance.now()
  const rounds = compareWith === undefined ? 1 : 2
  const request: CohortRequest = {
    contacts: [...contacts.values()],
    synthetic: syntheticContacts(body.synthetic),
    ...{ days, enterOverDays, at: time, signal: agent.signal },
    ...(body.eventProperties !== undefined && { eventProperties: body.eventProperties })
  }
  const runVersion = (wanted: number | undefined, round: number) =>
    simulateCohort(agent.context, params['slug'] ?? '', {
      ...request,
      ...(wanted !== undefined && { version: wanted }),
      progress: (done, total) =>
        progress?.(round * total + done, rounds * total, `Simulated ${done} of ${total} contacts.`)
    })
  const result = await runVersion(version, 0)
  if (!result.ok) return refused(result.error)
  const other = compareWith === undefined ? undefined : await runVersion(compareWith, 1)
  if (other?.ok === false) return refused(other.error)
  return answer({
    ...shown(result),
    days,
    durationMs: Math.round(performance.now() - startedAt),
    ...(other && { compared: shown(other), diff: difference(result, other) })
  })
}

const shown = ({ ok: _ok, flow, version, ...tally }: Simulated) => ({
  flow: { slug: flow.slug, version, enabled: flow.enabled },
  ...tally
})

/** What changes from the second to the first. Pure. */
export function difference(one: Simulated, other: Simulated) {
  return {
    from: other.version,
    to: one.version,
    entries: one.entries - other.entries,
    sends: one.sends - other.sends,
    sendsByTemplate: differences(one.sendsByTemplate, other.sendsByTemplate),
    ends: differences(one.ends, other.ends),
    exitReasons: differences(one.exitReasons, other.exitReasons),
    capsHit: {
      waited: differences(one.capsHit.waited, other.capsHit.waited),
      dropped: differences(one.capsHit.dropped, other.capsHit.dropped)
    }
  }
}

type Counts = Readonly<Record<string, number>>

/** Only what differs. */
function differences(one: Counts, other: Counts): Counts {
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])]
  const entries = names.map((name) => [name, (one[name] ?? 0) - (other[name] ?? 0)] as const)
  return Object.fromEntries(entries.filter(([, by]) => by !== 0))
}

function syntheticContacts(synthetic: Body['synthetic']): readonly MailContact[] {
  if (synthetic === undefined) return []
  const { count, tags = [], fields = {} } = synthetic
  return Array.from({ length: count }, (_, index) => ({
    externalId: `synthetic-${index + 1}`,
    email: `synthetic-${index + 1}@example.invalid`,
    tags: [...tags],
    fields
  }))
}

const ids = Type.Array(Type.String({ minLength: 1, maxLength: 256 }), {
  maxItems: MOST_CONTACTS,
  uniqueItems: true
})
const record = Type.Record(Type.String(), Type.Unknown())

/** Below `/flows`. */
export const simulateManyOperation: Operation = {
  tool: 'simulate_many',
  method: 'POST',
  path: '/flows/:slug/simulate-many',
  summary:
    'Walks a flow for contacts or made-up ones over days: entries, mails per day, ends, caps; compares two versions',
  scope: 'mail:read',
  isLong: true,
  body: Type.Object(
    {
      contactIds: Type.Optional(ids),
      synthetic: Type.Optional(
        Type.Object(
          {
            count: Type.Integer({ minimum: 1, maximum: MOST_SYNTHETIC }),
            tags: Type.Optional(Type.Array(Type.String({ maxLength: 128 }), { maxItems: 100 })),
            fields: Type.Optional(record)
          },
          { additionalProperties: false }
        )
      ),
      days: Type.Integer({ minimum: 1, maximum: 366 }),
      enterOverDays: Type.Optional(Type.Integer({ minimum: 1, maximum: 366 })),
      at: Type.Optional(Type.String({ maxLength: 64 })),
      version: Type.Optional(Type.Integer({ minimum: 1 })),
      compareWith: Type.Optional(Type.Integer({ minimum: 1, description: 'Another version.' })),
      eventProperties: Type.Optional(record)
    },
    { additionalProperties: false }
  ),
  output: Type.Object({
    flow: object,
    from: text,
    days: number,
    contacts: number,
    refused: object,
    entries: number,
    sends: number,
    perDay: Type.Array(Type.Object({ day: text, entries: number, sends: number })),
    sendsByTemplate: object,
    ends: object,
    exitReasons: object,
    capsHit: object,
    durationMs: number
  }),
  run: simulateMany
}
