// Filters as functions of decoded documents.

import type { Collation } from '../bson/collation.ts'
import type { Doc, Value } from '../bson/value.ts'
import { evaluate, isTrue, type Missing, type Scope } from '../expressions/expression.ts'
import type { FilterNode, LeafNode } from './filter-node.ts'
import { type LeafTest, leafTest } from './leaf-test.ts'
import { visitPath, walkPath } from './path-walk.ts'

/** Notes of a match: the index of the array element that was last found fitting. */
export interface MatchDetails {
  position: number | undefined
}

export interface MatchContext {
  readonly collation: Collation | undefined
  readonly now: Date
  readonly scope: Scope | undefined
}

/** `scope` replaces the variables of the context. */
export type DocTest = (doc: Doc, details?: MatchDetails, scope?: Scope) => boolean

export function compileDocTest(node: FilterNode, context: MatchContext): DocTest {
  switch (node.kind) {
    case 'and': {
      const tests = node.children.map((child) => compileDocTest(child, context))
      return (doc, details, scope) => tests.every((test) => test(doc, details, scope))
    }
    case 'or': {
      const tests = node.children.map((child) => compileDocTest(child, context))
      return (doc, details, scope) => tests.some((test) => test(doc, details, scope))
    }
    case 'not': {
      const test = compileDocTest(node.child, context)
      // What does not match has no position.
      return (doc, _details, scope) => !test(doc, undefined, scope)
    }
    case 'always':
      return () => node.value
    case 'expr':
      return (doc, _details, scope = context.scope) =>
        isTrue(evaluate(node.expression, doc, scope, context.now))
    default:
      return compileLeaf(node, context)
  }
}

function compileLeaf(node: LeafNode, context: MatchContext): DocTest {
  if (node.kind === 'schema') {
    const test = leafTest(node, context.collation)
    return (doc) => test(doc)
  }
  const path = walkPath(node.path)
  const spreads = spreadsLeaf(node)
  const test = positionedTest(node, context)
  return (doc, details) =>
    visitPath(doc, path, spreads, (value, position) => {
      if (!test(value, details)) return false
      if (details && position !== undefined) details.position = position
      return true
    })
}

/** Whether the elements of an array are asked, besides the array itself. */
export function spreadsLeaf(node: LeafNode): boolean {
  return node.kind !== 'size' && node.kind !== 'elemMatchObject' && node.kind !== 'elemMatchValue'
}

type PositionedTest = (value: Value | Missing, details?: MatchDetails) => boolean

/** The condition of any leaf on a single value; `$elemMatch` notes which element fitted. */
export function positionedTest(node: LeafNode, context: MatchContext): PositionedTest {
  if (node.kind === 'elemMatchObject') {
    const test = compileDocTest(node.child, context)
    return elementTest((element) => isNested(element) && test(asDoc(element)))
  }
  if (node.kind === 'elemMatchValue') {
    const tests = node.children.map((child) => compileValueTest(child, context))
    return elementTest((element) => tests.every((test) => test(element)))
  }
  return leafTest(node, context.collation)
}

function elementTest(test: (element: Value) => boolean): PositionedTest {
  return (value, details) => {
    if (!Array.isArray(value)) return false
    const index = value.findIndex(test)
    if (index >= 0 && details) details.position = index
    return index >= 0
  }
}

function isNested(element: Value): element is Doc | Value[] {
  return element instanceof Map || Array.isArray(element)
}

/** An array within an array is a document with the fields 0, 1, …. */
function asDoc(element: Doc | Value[]): Doc {
  if (!Array.isArray(element)) return element
  return new Map(element.map((value, index) => [String(index), value]))
}

/** A condition on a value itself, not on a field of it: within `$elemMatch`. */
function compileValueTest(node: FilterNode, context: MatchContext): LeafTest {
  switch (node.kind) {
    case 'and': {
      const tests = node.children.map((child) => compileValueTest(child, context))
      return (value) => tests.every((test) => test(value))
    }
    case 'not': {
      const test = compileValueTest(node.child, context)
      return (value) => !test(value)
    }
    case 'always':
    case 'or':
    case 'expr':
      // Of these only `$all: []` stands on a value, and it takes nothing.
      return () => false
    default:
      return positionedTest(node, context)
  }
}
