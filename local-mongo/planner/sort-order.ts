// Whether walking an index gives the documents in the order of a sort.
import type { KeyPart } from '../bson/index-keys.ts'
import type { Index } from '../storage/index-definition.ts'
import type { IndexBounds } from './index-bounds.ts'

/** `forward` and `backward` say how to walk what is written; undefined when the index does not give the order. */
export type WalkOrder = 'forward' | 'backward' | undefined

/** The parts that are held to one value, which is then each document's only one. */
function constantPaths(index: Index, { fixedParts }: IndexBounds): Set<string> {
  const paths = new Set<string>()
  for (let part = 0; part < fixedParts; part++) {
    const path = index.parts[part]?.path
    if (path !== undefined && index.flags.arrays[part] !== true) paths.add(path)
  }
  return paths
}

/** How to walk `index` within `bounds` so that documents come in the order of `sort`. */
export function walkOrder(index: Index, bounds: IndexBounds, sort: readonly KeyPart[]): WalkOrder {
  if (!index.flags.isExact) return undefined
  const constants = constantPaths(index, bounds)
  let part = 0
  let isBackward: boolean | undefined
  for (const { path, direction } of sort) {
    if (constants.has(path)) continue
    while (part < bounds.fixedParts && index.parts[part]?.path !== path) part++
    const own = index.parts[part]
    if (own === undefined || own.path !== path) return undefined
    if (index.flags.arrays[part] === true) return undefined
    const isOpposite = own.direction !== direction
    if (isBackward !== undefined && isBackward !== isOpposite) return undefined
    isBackward = isOpposite
    part++
  }
  return (isBackward ?? index.layout.isTurned) ? 'backward' : 'forward'
}
