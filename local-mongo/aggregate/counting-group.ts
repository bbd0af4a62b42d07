// A $group that only counts, for documents that stand for several each. Pure.
import { type Doc, isDoc, TYPE, typeCode, type Value } from '../bson/value.ts'

/** The field that says how many documents one stands for. */
export const WEIGHT = '#'

/** A field at the top of a document, other than `WEIGHT`. */
const FIELD = /^\$[^$.#]+$/

/** The same group over documents with weights; undefined for one that does more than count by plain fields. */
export function weightedGroup(stage: Doc | undefined): Doc | undefined {
  const spec = stage?.get('$group')
  if (!isDoc(spec)) return undefined
  const weighted: Doc = new Map()
  for (const [name, value] of spec) {
    if (name === '_id' ? !isPlainId(value) : !isCount(value)) return undefined
    weighted.set(name, name === '_id' ? value : new Map([['$sum', `$${WEIGHT}`]]))
  }
  return new Map([['$group', weighted]])
}

const isField = (value: Value): boolean => typeof value === 'string' && FIELD.test(value)

function isPlainId(id: Value): boolean {
  if (!isDoc(id)) return isField(id)
  return id.size > 0 && [...id].every(([name, value]) => !name.startsWith('$') && isField(value))
}

/** `{$sum: 1}` as an int, or `{$count: {}}`. */
function isCount(accumulator: Value): boolean {
  if (!isDoc(accumulator) || accumulator.size !== 1) return false
  const sum = accumulator.get('$sum')
  if (sum !== undefined) return typeCode(sum) === TYPE.int && String(sum) === '1'
  const count = accumulator.get('$count')
  return isDoc(count) && count.size === 0
}
