// How large a template may be.

/** Limits of a template. */
export const TEMPLATE_LIMITS = {
  /** Characters of a source, and of the HTML it compiles to. */
  characters: 1_000_000,
  slots: 2_000,
  /** Of all slots together: they are read in the host's thread. */
  slotCharacters: 50_000
} as const
