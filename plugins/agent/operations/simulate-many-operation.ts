// Simulation of a flow for many contacts over many days, and beside it another version.
import type { CohortWanted, FlowTally, MailContact } from '@keelson/mailer/contracts'
import { type Call, closed, operation, type Static, Type } from '@keelson/sdk'
import {
  type AgentHost,
  access,
  contactIdInput,
  slugParams,
  timeInput,
  valuesInput
} from '../agent-host.ts'
import { refusals } from '../answers/refusals.ts'
import { counts, flowReferenceSchema, integer, text, time } from '../answers/shapes.ts'
import { invalid, isDate } from './invalid.ts'

const MOST_CONTACTS = 1000
const MOST_SYNTHETIC = 10_000
const days = Type.Integer({ minimum: 1, maximum: 366 })
const version = Type.Integer({ minimum: 1 })

const body = Type.Object(
  {
    contactIds: Type.Optional(
      Type.Array(contactIdInput, { maxItems: MOST_CONTACTS, uniqueItems: true })
    ),
    synthetic: Type.Optional(
      Type.Object(
        {
          count: Type.Integer({ minimum: 1, maximum: MOST_SYNTHETIC }),
          tags: Type.Optional(Type.Array(Type.String({ maxLength: 128 }), { maxItems: 100 })),
          fields: Type.Optional(valuesInput)
        },
        closed
      )
    ),
    days,
    enterOverDays: Type.Optional(days),
    at: Type.Optional(timeInput),
    version: Type.Optional(version),
    compareWith: Type.Optional(Type.Integer({ minimum: 1, description: 'Another version.' })),
    eventProperties: Type.Optional(valuesInput)
  },
  closed
)

const capsHit = Type.Object({ waited: counts, dropped: counts })
const cohort = {
  flow: flowReferenceSchema,
  from: time,
  contacts: integer,
  refused: counts,
  entries: integer,
  sends: integer,
  perDay: Type.Array(Type.Object({ day: text, entries: integer, sends: integer })),
  sendsByTemplate: counts,
  ends: counts,
  exitReasons: counts,
  capsHit
}

/** Below `/flows`. */
export const simulateManyOperation = operation({
  id: 'agent.flows.simulateMany',
  method: 'POST',
  path: '/flows/:slug/simulate-many',
  summary:
    'Walks a flow for contacts or made-up ones over days: entries, mails per day, ends, caps; compares two versions',
  tool: 'simulate_many',
  agent: true,
  access: access.read,
  effect: 'read',
  hints: { long: true },
  params: slugParams,
  body,
  answer: Type.Object(
    {
      ...cohort,
      days: integer,
      durationMs: integer,
      compared: Type.Optional(Type.Object(cohort)),
      diff: Type.Optional(
        Type.Object({
          from: integer,
          to: integer,
          entries: integer,
          sends: integer,
          sendsByTemplate: counts,
          ends: counts,
          exitReasons: counts,
          capsHit
        })
      )
    },
    { title: 'AgentCohortSimulation' }
  ),
  errors: refusals.only('contact_not_found', 'flow_not_found', 'version_not_found'),
  async run({ params: { slug }, body }, { host, actor, signal, progress }: Call<AgentHost>) {
    const { contactIds = [], synthetic, at, version, compareWith, days } = body
    if (contactIds.length === 0 && synthetic === undefined)
      return invalid('contactIds', 'or synthetic must be there')
    if (at !== undefined && !isDate(at)) return invalid('at', 'must be a date')
    const work = host.workbench.as(actor)
    const contacts = await work.contacts(contactIds)
    const missing = contactIds.find((id) => !contacts.has(id))
    if (missing !== undefined)
      return refusals.refuse('contact_not_found', { message: `There is no contact ${missing}.` })
    const startedAt = performance.now()
    const rounds = compareWith === undefined ? 1 : 2
    const request = { ...requestOf(host, body), contacts: [...contacts.values()], signal }
    const runVersion = (wanted: number | undefined, round: number) =>
      work.simulateMany(slug, {
        ...request,
        ...(wanted !== undefined && { version: wanted }),
        progress: (done, total) =>
          progress(round * total + done, rounds * total, `Simulated ${done} of ${total} contacts.`)
      })
    const result = await runVersion(version, 0)
    if (!result.ok) return result
    const other = compareWith === undefined ? undefined : await runVersion(compareWith, 1)
    if (other?.ok === false) return other
    return {
      ...shown(result),
      days,
      durationMs: Math.round(performance.now() - startedAt),
      ...(other && { compared: shown(other), diff: difference(result, other) })
    }
  }
})

function requestOf(
  { clock }: AgentHost,
  { at, days, enterOverDays = 1, eventProperties, synthetic }: Static<typeof body>
): Omit<CohortWanted, 'contacts'> {
  return {
    synthetic: syntheticContacts(synthetic),
    days,
    enterOverDays,
    at: at === undefined ? clock.now() : new Date(at),
    ...(eventProperties !== undefined && { eventProperties })
  }
}

const shown = ({ ok: _ok, ...tally }: FlowTally) => tally

/** What changes from the second to the first. Pure. */
export function difference(one: FlowTally, other: FlowTally) {
  return {
    from: other.flow.version,
    to: one.flow.version,
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

function syntheticContacts(synthetic: Static<typeof body>['synthetic']): readonly MailContact[] {
  if (synthetic === undefined) return []
  const { count, tags = [], fields = {} } = synthetic
  return Array.from({ length: count }, (_, index) => ({
    externalId: `synthetic-${index + 1}`,
    email: `synthetic-${index + 1}@example.invalid`,
    tags: [...tags],
    fields
  }))
}
