// A list of the settings.

/** A block list that is asked. */
export interface ConfiguredList {
  /** Its zone, lower case. */
  readonly host: string
  readonly label: string
  readonly kind: 'domain' | 'ip'
}
