// Filters as functions of encoded documents: common conditions are decided without decoding.

import { decodeDoc } from '../bson/decode.ts'
import { decodeRaw, type RawValue, rawPath, walkToArray } from '../bson/raw.ts'
import { TYPE, type Value } from '../bson/value.ts'
import { evaluate, isTrue, MISSING, type Scope } from '../expressions/expression.ts'
import type { FilterNode, LeafNode } from './filter-node.ts'
import { type MatchContext, positionedTest, spreadsLeaf } from './match-doc.ts'
import { visitArray } from './path-walk.ts'
import { rawTest } from './raw-test.ts'

export type BytesTest = (bytes: Uint8Array, scope?: Scope) => boolean

export function compileBytesTest(node: FilterNode, context: MatchContext): BytesTest {
  switch (node.kind) {
    case 'and':
      return allOf(node.children.map((child) => compileBytesTest(child, context)))
    case 'or': {
      const tests = node.children.map((child) => compileBytesTest(child, context))
      return (bytes, scope) => tests.some((test) => test(bytes, scope))
    }
    case 'not': {
      const test = compileBytesTest(node.child, context)
      return (bytes, scope) => !test(bytes, scope)
    }
    case 'always':
      return () => node.value
    case 'expr': {
      const { expression } = node
      const fields = expression.fields === 'all' ? undefined : expression.fields
      return (bytes, scope = context.scope) =>
        isTrue(evaluate(expression, decodeDoc(bytes, fields), scope, context.now))
    }
    default:
      return compileLeaf(node, context)
  }
}

function allOf(tests: readonly BytesTest[]): BytesTest {
  const [only, second, ...others] = tests
  if (only === undefined) return () => true
  if (second === undefined) return only
  if (others.length === 0) return (bytes, scope) => only(bytes, scope) && second(bytes, scope)
  return (bytes, scope) => tests.every((test) => test(bytes, scope))
}

function compileLeaf(node: LeafNode, context: MatchContext): BytesTest {
  const test = positionedTest(node, context)
  if (node.kind === 'schema') return (bytes) => test(decodeDoc(bytes))
  const path = rawPath(node.path)
  const spreads = spreadsLeaf(node)
  const quick = rawTest(node, context.collation)
  const whenMissing = test(MISSING)
  const slowly = (raw: RawValue, next: number): boolean => {
    const value: Value = decodeRaw(raw)
    if (!Array.isArray(value)) return test(value)
    return visitArray(value, path.pieces, next, spreads, (reached) => test(reached))
  }
  return (bytes) => {
    const found = walkToArray(bytes, 0, path, 0)
    if (found === undefined) return whenMissing
    if (quick === undefined || found.value.type === TYPE.array)
      return slowly(found.value, found.next)
    return quick(bytes, found.value) ?? slowly(found.value, found.next)
  }
}
