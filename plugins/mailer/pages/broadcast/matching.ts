// A contact of an audience, as lists and previews take it.

/** A contact of the audience. */
export interface Matching {
  readonly externalId: string
  readonly email: string
}
