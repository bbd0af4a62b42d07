// The people behind refs, for reads that count people: an anonymous ref counts as the person whose it was.
import { refType } from '../envelope/refs.ts'
import { findLinks, linkKey } from '../identity/find-links.ts'
import { personAt } from '../identity/links.ts'
import type { Reader } from './reader.ts'

export interface People {
  /** Whether there is another person behind a ref at some time. */
  isLinked(tenantId: string, ref: string): boolean
  /** The ref of the person behind a ref at a time; the ref itself without links. */
  refAt(tenantId: string, ref: string, at: number): string
}

/** Reads who is behind some refs. Refs that are not anonymous stand for themselves and cost no read. */
export async function findPeople(
  { aliases, anonymousTypes }: Pick<Reader, 'aliases' | 'anonymousTypes'>,
  scope: string,
  refs: Iterable<string>
): Promise<People> {
  const anonymous = [...new Set(refs)].filter((ref) => anonymousTypes.has(refType(ref)))
  const links = await findLinks(aliases, scope, anonymous)
  return {
    isLinked: (tenantId, ref) => links.size > 0 && links.has(linkKey(tenantId, ref)),
    refAt: (tenantId, ref, at) => personAt(links.get(linkKey(tenantId, ref)) ?? [], at) ?? ref
  }
}
