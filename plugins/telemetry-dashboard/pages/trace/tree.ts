// A trace as a tree of spans in the order of a waterfall, with the path that its duration hangs on.

import type { RecordRow } from '../records/record.ts'
import { spanTitle } from '../records/record.ts'

export interface TraceItem {
  readonly row: RecordRow
  readonly depth: number
  /** Milliseconds after the trace began. */
  readonly start: number
  /** 0 for records other than spans. */
  readonly duration: number
  readonly isSpan: boolean
  readonly isCritical: boolean
  readonly isError: boolean
  /** A span that names a parent which is not among the records. */
  readonly isOrphan: boolean
}

export interface TraceView {
  readonly items: readonly TraceItem[]
  /** When it began, ms. */
  readonly from: number
  /** From the first start to the last end, ms. */
  readonly duration: number
  readonly spans: number
  /** Records of kind error. */
  readonly errors: number
  /** Spans that failed: one error makes all spans around it fail. */
  readonly failed: number
  readonly services: readonly string[]
  /** What the trace is called: its first root. */
  readonly title: string
}

interface Node {
  readonly row: RecordRow
  readonly start: number
  readonly end: number
  readonly children: Node[]
}

const isSpan = ({ kind }: RecordRow): boolean => kind === 'span'

const isError = ({ kind, severity }: RecordRow): boolean =>
  kind === 'error' || severity === 'error' || severity === 'fatal'

/** Span ids are unique in a trace of one tenant. */
const keyOf = (tenantId: string, spanId: string | undefined): string => `${tenantId} ${spanId}`

function makeNodes(rows: readonly RecordRow[]): Node[] {
  return rows.map((row) => {
    const start = Date.parse(row.occurredAt)
    return { row, start, end: start + Math.max(0, row.durationMs ?? 0), children: [] }
  })
}

/** The span a node hangs below: its parent, or for other records the span they were recorded in. */
function parentOf({ row }: Node, spans: ReadonlyMap<string, Node>): Node | undefined {
  const id = isSpan(row) ? row.parentId : (row.spanId ?? row.parentId)
  return id === undefined ? undefined : spans.get(keyOf(row.tenantId, id))
}

/** Whether `node` would hang below itself. */
function isBelow(node: Node, parent: Node, parents: ReadonlyMap<Node, Node>): boolean {
  for (let at: Node | undefined = parent; at !== undefined; at = parents.get(at)) {
    if (at === node) return true
  }
  return false
}

function growTree(nodes: readonly Node[]): Node[] {
  const spans = new Map<string, Node>()
  for (const node of nodes) {
    const key = keyOf(node.row.tenantId, node.row.spanId)
    if (isSpan(node.row) && node.row.spanId !== undefined && !spans.has(key)) spans.set(key, node)
  }
  const parents = new Map<Node, Node>()
  const roots: Node[] = []
  for (const node of nodes) {
    const parent = parentOf(node, spans)
    if (parent === undefined || isBelow(node, parent, parents)) {
      roots.push(node)
    } else {
      parents.set(node, parent)
      parent.children.push(node)
    }
  }
  return roots
}

/** Starts are stored to the millisecond, so that a child may seem to end that much after its parent. */
const ROUNDING = 1

/**
 * From the end backwards: the child that ended last before the end held its parent up, before it the one
 * that ended last before that one began, and so on below each. One that went on meanwhile held up nobody.
 */
function markCritical(node: Node, critical: Set<Node>): void {
  critical.add(node)
  let cursor = node.end
  const spans = node.children
    .filter(({ row }) => isSpan(row))
    .sort((a, b) => b.end - a.end || b.start - a.start)
  for (const child of spans) {
    if (child.end > cursor + ROUNDING || child.start >= cursor) continue
    markCritical(child, critical)
    cursor = child.start
  }
}

const byStart = (a: Node, b: Node): number => a.start - b.start || b.end - a.end

/** What is known of the nodes of a trace. */
interface Marks {
  readonly critical: ReadonlySet<Node>
  /** Of the spans that are there. */
  readonly spanKeys: ReadonlySet<string>
}

const isOrphan = (row: RecordRow, spanKeys: ReadonlySet<string>): boolean =>
  isSpan(row) && row.parentId !== undefined && !spanKeys.has(keyOf(row.tenantId, row.parentId))

function flatten(nodes: readonly Node[], depth: number, from: number, marks: Marks): TraceItem[] {
  return [...nodes].sort(byStart).flatMap((node) => [
    {
      row: node.row,
      depth,
      start: node.start - from,
      duration: node.end - node.start,
      isSpan: isSpan(node.row),
      isCritical: marks.critical.has(node),
      isError: isError(node.row),
      isOrphan: isOrphan(node.row, marks.spanKeys)
    },
    ...flatten(node.children, depth + 1, from, marks)
  ])
}

/** The rows of one trace, in any order; undefined when there are none. */
export function viewTrace(rows: readonly RecordRow[]): TraceView | undefined {
  const nodes = makeNodes(rows)
  const roots = growTree(nodes).sort(byStart)
  const main = roots.find(({ row }) => isSpan(row)) ?? roots[0]
  if (main === undefined) return undefined
  const from = Math.min(...nodes.map(({ start }) => start))
  const to = Math.max(...nodes.map(({ end }) => end))
  const critical = new Set<Node>()
  const spanKeys = new Set(rows.filter(isSpan).map((row) => keyOf(row.tenantId, row.spanId)))
  if (isSpan(main.row)) markCritical(main, critical)
  return {
    items: flatten(roots, 0, from, { critical, spanKeys }),
    from,
    duration: to - from,
    spans: rows.filter(isSpan).length,
    errors: rows.filter(({ kind }) => kind === 'error').length,
    failed: rows.filter((row) => isSpan(row) && isError(row)).length,
    services: [...new Set(rows.map(({ service }) => service))].sort(),
    title: spanTitle(main.row)
  }
}
