// Hosts that only the operator can know: declared as a place in the plugin's config.

const PLACE = /^\$\{([A-Za-z0-9_.-]+)\}$/
/** A name of a host that the config completes, as `mail.${region}.example.com`. */
const PLACE_WITHIN = /\$\{([A-Za-z0-9_.-]+)\}/g
const LABEL = /^[A-Za-z0-9-]{1,63}$/

/**
 * Declared hosts, where an entry `${some.setting}` stands for what the plugin's config has there: a host,
 * `host:port`, an http or https address, or a list of them. A setting that is absent or empty adds none.
 * Within an entry, `${some.setting}` stands for one label of the name.
 */
export function configuredHosts(declared: readonly string[], config: unknown): string[] {
  return declared.flatMap((entry) => {
    const place = PLACE.exec(entry)?.[1]
    return place === undefined ? completed(entry, config) : hostsAt(place, config)
  })
}

/** Hosts that the operator's config names. What a manifest names by itself is not among them. */
export function operatorHosts(declared: readonly string[], config: unknown): string[] {
  return declared
    .flatMap((entry) => PLACE.exec(entry)?.[1] ?? [])
    .flatMap((place) => hostsAt(place, config))
}

function completed(entry: string, config: unknown): string[] {
  const labels = [...entry.matchAll(PLACE_WITHIN)].map(([, place = '']) => settingAt(place, config))
  if (!labels.every((label) => typeof label === 'string' && LABEL.test(label))) return []
  return [entry.replaceAll(PLACE_WITHIN, () => labels.shift() as string)]
}

function hostsAt(place: string, config: unknown): string[] {
  const found = settingAt(place, config)
  return (Array.isArray(found) ? found : [found]).flatMap(hostOf)
}

/** The value of a setting, as `a.b` names it; undefined when the config has none. */
export function settingAt(place: string, config: unknown): unknown {
  return place.split('.').reduce<unknown>(settingIn, config)
}

function settingIn(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
  return (value as Readonly<Record<string, unknown>>)[key]
}

function hostOf(value: unknown): string[] {
  if (typeof value !== 'string' || value === '') return []
  if (!/^https?:\/\//i.test(value)) return [value]
  return URL.canParse(value) ? [new URL(value).host] : []
}
