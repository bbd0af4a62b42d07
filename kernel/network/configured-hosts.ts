// Hosts that only the operator can know: declared as a place in the plugin's config.

const PLACE = /^\$\{([A-Za-z0-9_.-]+)\}$/

/**
 * Declared hosts, where an entry `${some.setting}` stands for what the plugin's config has there: a host,
 * `host:port`, an http or https address, or a list of them. A setting that is absent or empty adds none.
 */
export function configuredHosts(declared: readonly string[], config: unknown): string[] {
  return declared.flatMap((entry) => {
    const place = PLACE.exec(entry)?.[1]
    return place === undefined ? [entry] : hostsAt(place, config)
  })
}

/** Hosts that the operator's config names. What a manifest names by itself is not among them. */
export function operatorHosts(declared: readonly string[], config: unknown): string[] {
  return declared
    .flatMap((entry) => PLACE.exec(entry)?.[1] ?? [])
    .flatMap((place) => hostsAt(place, config))
}

function hostsAt(place: string, config: unknown): string[] {
  const found = place.split('.').reduce<unknown>(settingIn, config)
  return (Array.isArray(found) ? found : [found]).flatMap(hostOf)
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
