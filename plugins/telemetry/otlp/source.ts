// What the records of one resource and scope have in common.
import { isCleanText } from '../envelope/refs.ts'
import { addAttributes, objectOf, textOf } from './values.ts'

/** Resource and scope of a record, as they were sent. */
export interface Source {
  readonly resource: unknown
  readonly scope: unknown
}

/** Attributes of a record, its scope and its resource; the nearest wins. */
export function joinAttributes(
  own: ReadonlyMap<string, string>,
  source: Source
): Map<string, string> {
  const attributes = new Map(own)
  const scope = objectOf(source.scope)
  for (const [key, name] of [
    ['otel.scope.name', 'name'],
    ['otel.scope.version', 'version']
  ] as const) {
    const text = textOf(scope[name])
    if (text !== '' && !attributes.has(key)) attributes.set(key, text)
  }
  addAttributes(attributes, scope['attributes'])
  addAttributes(attributes, objectOf(source.resource)['attributes'])
  return attributes
}

/** service.name, unless an SDK made it up or it is unusable. */
export function serviceOf(attributes: ReadonlyMap<string, string>, ofKey: string): string {
  const name = attributes.get('service.name')
  const isMeant = isCleanText(name, 200) && !name.startsWith('unknown_service')
  return isMeant ? name : ofKey
}

export function releaseOf(attributes: ReadonlyMap<string, string>): string | undefined {
  const version = attributes.get('service.version')
  return isCleanText(version, 200) ? version : undefined
}
