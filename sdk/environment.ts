// The environment as every reader sees it: a variable that is set to the empty string is not set.

/** Variables of the environment, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>

/**
 * The variables that are set. A compose file turns `NAME: ${OTHER}` into an empty string when OTHER is not set, so an
 * empty variable is left out, here as for the placeholders of the config. What reads variables itself reads these.
 */
export function environmentOf(given: Environment): Environment {
  return Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined && value !== '')
  )
}
