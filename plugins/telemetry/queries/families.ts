// Which families distinct counts and funnels can be made of, and what is wrong with the others.

import type { Bucket } from '../contracts/telemetry-registry.ts'
import type { Registry, RollupFamily } from '../registry/types.ts'
import { QueryError } from './types.ts'

/** The family of that name. @throws QueryError naming it. */
export function findFamily(registry: Registry, as: string): RollupFamily {
  const family = registry.family(as)
  if (family === undefined) throw new QueryError(`no rollup family "${as}" is declared`)
  return family
}

const isBySubjectAlone = ({ by }: RollupFamily) => by.length === 1 && by[0] === 'subject'

/** A family whose documents are one a subject, for ever. @throws QueryError naming it and the fix. */
export function requireMilestoneFamily(registry: Registry, as: string): RollupFamily {
  const family = findFamily(registry, as)
  if (family.bucket !== undefined) {
    throw new QueryError(
      `rollup family "${as}" is BUCKETED by ${family.bucket}; a funnel needs a lifetime family: declare one without bucket`
    )
  }
  if (!isBySubjectAlone(family)) {
    throw new QueryError(
      `rollup family "${as}" is keyed by ${family.by.join(', ')}; a funnel needs a family keyed by exactly one subject dimension: declare one with by: ['subject']`
    )
  }
  return family
}

/** A family whose documents are one a subject and bucket. @throws QueryError naming it and the fix. */
export function requireDistinctFamily(
  registry: Registry,
  as: string
): RollupFamily & { readonly bucket: Bucket } {
  const family = findFamily(registry, as)
  const { bucket } = family
  if (!family.by.includes('subject')) {
    throw new QueryError(
      `rollup family "${as}" has no subject dimension; declare one with by: ['subject'] to count subjects`
    )
  }
  if (bucket === undefined) {
    throw new QueryError(
      `rollup family "${as}" has no bucket; declare one with a bucket to count subjects over time`
    )
  }
  if (!isBySubjectAlone(family)) {
    throw new QueryError(
      `rollup family "${as}" is keyed by ${family.by.join(', ')}, which splits one subject across several documents; declare one with by: ['subject']`
    )
  }
  return { ...family, bucket }
}
