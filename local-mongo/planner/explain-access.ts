// An access path as a tree of stages with MongoDB's names, with what each has done when it was run.
import { Int32 } from 'bson'
import type { Doc, Value } from '../bson/value.ts'
import type { FilterNode } from '../query/filter-node.ts'
import type { Index } from '../storage/index-definition.ts'
import { boundsText } from './bounds-text.ts'
import type { Access, IndexAccess } from './plan.ts'

/** What the walk over an access path has counted. */
export interface AccessStats {
  readonly keysExamined: number
  readonly docsExamined: number
  readonly seeks: number
  readonly returned: number
  readonly branches: readonly AccessStats[]
}

export interface StageOptions {
  readonly node: FilterNode
  /** The filter as it was asked for; shown where it is checked. */
  readonly filter: Doc
  /** Given when the query was run. */
  readonly stats: AccessStats | undefined
  /** True when keys alone answer, as for a count. */
  readonly isKeyOnly?: boolean
  /** True when keys tell the fields that are wanted. */
  readonly isCovered?: boolean
}

/** A whole number as BSON. */
export function int(value: number): Int32 {
  return new Int32(value)
}

/** A stage document. */
export function stage(name: string, fields: Iterable<readonly [string, Value]> = []): Doc {
  return new Map<string, Value>([['stage', name], ...fields])
}

function executed(returned: number, works: number): [string, Value][] {
  return [
    ['nReturned', int(returned)],
    ['executionTimeMillisEstimate', int(0)],
    ['works', int(works + 1)],
    ['advanced', int(returned)],
    ['needTime', int(Math.max(0, works - returned))],
    ['needYield', int(0)],
    ['isEOF', int(1)]
  ]
}

function multikeyPaths(index: Index): Doc {
  return new Map(
    index.parts.map(({ path }, part) => [path, index.flags.arrays[part] === true ? [path] : []])
  )
}

function scanStage(access: IndexAccess, { node, stats, isKeyOnly }: StageOptions): Doc {
  const { index, parts, isBackward } = access
  const bounds: Doc = new Map(boundsText(index, parts, node))
  const name = isKeyOnly === true ? 'COUNT_SCAN' : 'IXSCAN'
  const keys = stats?.keysExamined ?? 0
  return stage(name, [
    ...(stats === undefined ? [] : executed(keys, keys)),
    ['keyPattern', index.key],
    ['indexName', index.name],
    ['isMultiKey', index.flags.arrays.includes(true)],
    ['multiKeyPaths', multikeyPaths(index)],
    ['isUnique', index.isUnique],
    ['isSparse', index.isSparse],
    ['isPartial', index.partial !== undefined],
    ['indexVersion', int(2)],
    ['direction', isBackward === index.layout.isTurned ? 'forward' : 'backward'],
    ['indexBounds', bounds],
    ...(stats === undefined
      ? []
      : ([
          ['keysExamined', int(keys)],
          ['seeks', int(stats.seeks)]
        ] as [string, Value][]))
  ])
}

function indexStage(access: IndexAccess, options: StageOptions): Doc {
  const { stats, filter, node, isKeyOnly } = options
  const isWholeId = access.isPoint && node.kind === 'compare'
  if (isWholeId) {
    return stage('IDHACK', [
      ...(stats === undefined ? [] : executed(stats.returned, stats.keysExamined)),
      ...(stats === undefined
        ? []
        : ([
            ['keysExamined', int(stats.keysExamined)],
            ['docsExamined', int(stats.docsExamined)]
          ] as [string, Value][]))
    ])
  }
  const scan = scanStage(access, options)
  if (isKeyOnly === true || (options.isCovered === true && !hasRead(stats))) return scan
  const fields: [string, Value][] = []
  if (!access.isSettled && filter.size > 0) fields.push(['filter', filter])
  if (stats !== undefined) {
    fields.push(...executed(stats.returned, stats.keysExamined))
    fields.push(['docsExamined', int(stats.docsExamined)])
  }
  return stage('FETCH', [...fields, ['inputStage', scan]])
}

function collectionStage(isBackward: boolean, { filter, stats }: StageOptions): Doc {
  const fields: [string, Value][] = filter.size > 0 ? [['filter', filter]] : []
  if (stats !== undefined) {
    fields.push(...executed(stats.returned, stats.docsExamined))
    fields.push(['docsExamined', int(stats.docsExamined)])
  }
  return stage('COLLSCAN', [...fields, ['direction', isBackward ? 'backward' : 'forward']])
}

/** Whether documents were read after all, where a key did not tell. */
function hasRead(stats: AccessStats | undefined): boolean {
  return stats !== undefined && stats.docsExamined > 0
}

/** The stages of an access path. */
export function accessStages(access: Access, options: StageOptions): Doc {
  switch (access.kind) {
    case 'nothing':
      return stage('EOF', options.stats === undefined ? [] : executed(0, 0))
    case 'collection':
      return collectionStage(access.isBackward, options)
    case 'index':
      return indexStage(access, options)
    case 'or':
      return orStage(access.branches, options)
  }
}

function orStage(branches: readonly Access[], options: StageOptions): Doc {
  const { stats, node } = options
  const children = node.kind === 'or' ? node.children : []
  const stages = branches.map((branch, position) => {
    const child = children.length === branches.length ? children[position] : undefined
    return accessStages(branch, {
      ...options,
      node: child ?? node,
      stats: stats?.branches[position]
    })
  })
  const returned = stats?.returned ?? 0
  return stage('SUBPLAN', [
    ...(stats === undefined ? [] : executed(returned, returned)),
    [
      'inputStage',
      stage('OR', [
        ...(stats === undefined ? [] : executed(returned, returned)),
        ['inputStages', stages]
      ])
    ]
  ])
}
