// Which plugins need which, and which are disabled when one is switched off.
import { errors } from '../errors/errors.ts'
import { offers, usedBy } from './agreement.ts'
import type { DisabledPlugin, KnownPlugin } from './platform.ts'

/** Removes plugins that need one that is down, until there are none left; notes them in `disabled`. */
export function withoutDependents<T extends KnownPlugin>(
  starting: readonly T[],
  disabled: DisabledPlugin[]
): T[] {
  const down = new Set(disabled.map(({ id }) => id))
  const known = [...starting, ...disabled.flatMap((plugin) => plugin.known ?? [])]
  let up = [...starting]
  for (let isStable = false; !isStable; ) {
    const failing = up.flatMap((plugin) => {
      const needed = dependenciesOf(plugin, known, up).find((id) => down.has(id))
      return needed === undefined ? [] : [{ plugin, needed }]
    })
    isStable = failing.length === 0
    for (const { plugin, needed } of failing) {
      const { id, manifest } = plugin
      const reason = errors.KRN_DEPENDENCY_DOWN({ plugin: id, needed, state: 'disabled' })
      disabled.push({ id, version: manifest.version, known: plugin, reason })
      down.add(id)
    }
    up = up.filter(({ id }) => !down.has(id))
  }
  return up
}

/** Plugins without which this one cannot work: required ones, and sole providers of what it uses. */
export function dependenciesOf(
  plugin: KnownPlugin,
  known: readonly KnownPlugin[],
  up: readonly KnownPlugin[]
): string[] {
  const offering = offers(known)
  const isUp = (id: string) => up.some((other) => other.id === id)
  const providers = usedBy(plugin.manifest)
    .filter(({ isOptional }) => !isOptional)
    .flatMap(({ capability }) => {
      const ids = (offering.get(capability) ?? []).filter((id) => id !== plugin.id)
      return ids.filter(isUp).length > 0 ? ids.filter(isUp) : ids.slice(0, 1)
    })
  return [...new Set([...Object.keys(plugin.manifest.requires ?? {}), ...providers])]
}
