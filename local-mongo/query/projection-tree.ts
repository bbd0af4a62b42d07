// Projections as trees of rules by field, shared by find, $project, $set and $unset.

import { type Doc, isDoc, type Value } from '../bson/value.ts'
import { commandError } from '../errors.ts'
import { type Evaluation, type Expression, MISSING } from '../expressions/expression.ts'
import { isReferenceField } from './parse-operator.ts'

/** What happens to one field. */
export type Rule =
  | { readonly kind: 'include' }
  | { readonly kind: 'exclude' }
  | { readonly kind: 'compute'; readonly expression: Expression }
  | { readonly kind: 'nested'; readonly rules: RuleTree }

/** The rules of one level, in the order in which they were given. */
export type RuleTree = Map<string, Rule>

/** Whether fields without a rule stay. */
export type Mode = 'inclusion' | 'exclusion'

/** Puts a rule at a dotted path. Fails with Location31249 or 31250 when paths cover each other. */
export function addRule(tree: RuleTree, path: string, rule: Rule): void {
  const pieces = path.split('.')
  checkPath(pieces, path)
  let level = tree
  for (const [index, piece] of pieces.entries()) {
    const there = level.get(piece)
    if (index === pieces.length - 1) {
      if (there !== undefined) throw commandError('Location31250', `Path collision at ${path}`)
      level.set(piece, rule)
      return
    }
    if (there !== undefined && there.kind !== 'nested') {
      const rest = pieces.slice(index + 1).join('.')
      throw commandError('Location31249', `Path collision at ${path} remaining portion ${rest}`)
    }
    const rules: RuleTree = there?.rules ?? new Map()
    if (there === undefined) level.set(piece, { kind: 'nested', rules })
    level = rules
  }
}

function checkPath(pieces: readonly string[], path: string): void {
  for (const piece of pieces) {
    if (piece === '') {
      throw commandError(
        'Location15998',
        `FieldPath field names may not be empty strings: '${path}'`
      )
    }
    if (piece.startsWith('$') && !isReferenceField(piece)) {
      throw commandError(
        'Location16410',
        "FieldPath field names may not start with '$'. Consider using $getField or $setField."
      )
    }
  }
}

/** The fields that stay, in the document's order. */
export function keepFields(doc: Doc, tree: RuleTree, mode: Mode): Doc {
  const kept: Doc = new Map()
  for (const [name, value] of doc) {
    const rule = tree.get(name)
    const result = rule === undefined ? keptWithoutRule(value, mode) : keepValue(value, rule, mode)
    if (result !== MISSING) kept.set(name, result)
  }
  return kept
}

function keptWithoutRule(value: Value, mode: Mode): Value | typeof MISSING {
  return mode === 'exclusion' ? value : MISSING
}

function keepValue(value: Value, rule: Rule, mode: Mode): Value | typeof MISSING {
  switch (rule.kind) {
    case 'include':
      return value
    case 'exclude':
      return MISSING
    case 'compute':
      // A computed field keeps its place only where everything stays.
      return keptWithoutRule(value, mode)
    case 'nested':
      return keepNested(value, rule.rules, mode)
  }
}

function keepNested(value: Value, rules: RuleTree, mode: Mode): Value | typeof MISSING {
  if (isDoc(value)) return keepFields(value, rules, mode)
  if (!Array.isArray(value)) return keptWithoutRule(value, mode)
  // Where something is computed below, what is no document becomes one: it keeps its place.
  const isComputed = hasComputed(rules)
  const kept: Value[] = []
  for (const element of value) {
    const result = keepNested(element, rules, mode)
    if (result !== MISSING) kept.push(result)
    else if (isComputed) kept.push(null)
  }
  return kept
}

/** Whether anything below is computed. */
export function hasComputed(tree: RuleTree): boolean {
  for (const rule of tree.values()) {
    if (rule.kind === 'compute' || (rule.kind === 'nested' && hasComputed(rule.rules))) return true
  }
  return false
}

/** Sets the computed fields of a document that may be changed. */
export function computeFields(doc: Doc, tree: RuleTree, env: Evaluation): void {
  for (const [name, rule] of tree) {
    if (rule.kind === 'compute') {
      const value = rule.expression.evaluate(env)
      if (value === MISSING) doc.delete(name)
      else doc.set(name, value)
    } else if (rule.kind === 'nested' && hasComputed(rule.rules)) {
      doc.set(name, computeNested(doc.get(name), rule.rules, env))
    }
  }
}

function computeNested(value: Value, rules: RuleTree, env: Evaluation): Value {
  if (Array.isArray(value)) return value.map((element) => computeNested(element, rules, env))
  const doc: Doc = isDoc(value) ? new Map(value) : new Map()
  computeFields(doc, rules, env)
  return doc
}

/** Every expression in the tree. */
export function expressionsOf(tree: RuleTree): Expression[] {
  return [...tree.values()].flatMap((rule) => {
    if (rule.kind === 'compute') return [rule.expression]
    return rule.kind === 'nested' ? expressionsOf(rule.rules) : []
  })
}

/** The dotted paths of the rules of one kind. */
export function pathsOf(tree: RuleTree, kind: Rule['kind'], prefix = ''): string[] {
  return [...tree].flatMap(([name, rule]) => {
    const path = `${prefix}${name}`
    if (rule.kind === kind && rule.kind !== 'nested') return [path]
    return rule.kind === 'nested' ? pathsOf(rule.rules, kind, `${path}.`) : []
  })
}
