// How opens and clicks are written about a send: stages of an update pipeline, safe to repeat. Pure.
import type { Document } from 'mongodb'
import type { HoneypotVisit, StoredClick, StoredOpen } from '../../ledger/send-row.ts'
import { STATUS_STAGE } from '../../ledger/send-status.ts'
import { RECONCILE_STAGE } from '../sends/reconcile-unknown.ts'
import type { MachineSpan } from './machine-verdict.ts'

/** New hits of one send. */
export interface NewHits {
  readonly opens: readonly StoredOpen[]
  readonly clicks: readonly StoredClick[]
  readonly honeypotVisits: readonly HoneypotVisit[]
}

/** Hits of a kind that a send keeps, the newest. */
const KEPT = 50
const KEPT_VISITS = 5

interface Fields {
  readonly list: string
  /** The time of an entry of the list. */
  readonly time: string
  readonly count: string
  readonly first: string
  readonly human: string
}
const OPENS: Fields = {
  list: 'opens',
  time: 'openedAt',
  count: 'openCount',
  first: 'openedAt',
  human: 'humanOpenedAt'
}
const CLICKS: Fields = {
  list: 'clickedLinks',
  time: 'clickedAt',
  count: 'clickCount',
  first: 'firstClickAt',
  human: 'humanClickedAt'
}

/** Adds hits: an entry that is there already, by its id, is left out. A first time is the earliest. */
export function hitStages({ opens, clicks, honeypotVisits }: NewHits): Document[] {
  return [
    ...(opens.length > 0 ? added(OPENS, opens) : []),
    ...(clicks.length > 0 ? added(CLICKS, clicks) : []),
    ...(honeypotVisits.length > 0 ? addedVisits(honeypotVisits) : []),
    RECONCILE_STAGE,
    STATUS_STAGE
  ]
}

function added(fields: Fields, entries: readonly (StoredOpen | StoredClick)[]): Document[] {
  const { list, time, count, first, human } = fields
  return [
    { $set: { fresh: unknownOf(list, entries) } },
    {
      $set: {
        [list]: newest(list, time, KEPT),
        [count]: { $add: [{ $ifNull: [`$${count}`, 0] }, { $size: '$fresh' }] },
        [first]: earliest(`$${first}`, { $min: `$fresh.${time}` }),
        [human]: earliest(`$${human}`, { $min: timesOf('$fresh', time, true) })
      }
    },
    { $unset: ['fresh'] }
  ]
}

function addedVisits(visits: readonly HoneypotVisit[]): Document[] {
  return [
    { $set: { fresh: unknownOf('honeypotVisits', visits) } },
    { $set: { honeypotVisits: newest('honeypotVisits', 'at', KEPT_VISITS) } },
    { $unset: ['fresh'] }
  ]
}

const unknownOf = (list: string, entries: readonly object[]) => ({
  $filter: {
    input: { $literal: entries },
    cond: { $not: [{ $in: ['$$this.id', { $ifNull: [`$${list}.id`, []] }] }] }
  }
})

const newest = (list: string, time: string, kept: number) => ({
  $slice: [
    {
      $sortArray: {
        input: { $concatArrays: [{ $ifNull: [`$${list}`, []] }, '$fresh'] },
        sortBy: { [time]: 1, id: 1 }
      }
    },
    -kept
  ]
})

const earliest = (...times: unknown[]) => ({ $ifNull: [{ $min: times }, '$$REMOVE'] })

/** Times of entries that a person made, or that a machine made. */
function timesOf(input: unknown, time: string, isHuman: boolean): Document {
  const type = isHuman ? 'missing' : 'array'
  const cond = { $eq: [{ $type: '$$this.machine' }, type] }
  return { $map: { input: { $filter: { input, cond } }, in: `$$this.${time}` } }
}

/** Marks stored hits in these spans as a machine's, and takes back first times that were not a person's. */
export function reclassifyStages(spans: readonly MachineSpan[]): Document[] {
  return [OPENS, CLICKS].flatMap(({ list, time, human }) => [
    { $set: { [list]: { $ifNull: [marked(list, time, spans), '$$REMOVE'] } } },
    {
      $set: {
        [human]: {
          $cond: [
            { $in: [`$${human}`, { $ifNull: [timesOf(`$${list}`, time, false), []] }] },
            { $ifNull: [{ $min: timesOf(`$${list}`, time, true) }, '$$REMOVE'] },
            `$${human}`
          ]
        }
      }
    }
  ])
}

function marked(list: string, time: string, spans: readonly MachineSpan[]): Document {
  const reasons = spans.map(({ reason, from, to, userAgent }) => {
    const tests: Document[] = [
      { $gte: [`$$hit.${time}`, from] },
      { $lte: [`$$hit.${time}`, to] },
      ...(userAgent === undefined ? [] : [{ $eq: ['$$hit.userAgent', { $literal: userAgent }] }])
    ]
    return { $cond: [{ $and: tests }, [reason], []] }
  })
  const found = { $setUnion: [{ $ifNull: ['$$hit.machine', []] }, ...reasons] }
  const withReasons = { $mergeObjects: ['$$hit', { machine: found }] }
  const isHuman = { $eq: [{ $size: found }, 0] }
  return {
    $map: { input: `$${list}`, as: 'hit', in: { $cond: [isHuman, '$$hit', withReasons] } }
  }
}
