// Texts of a mail that take the place of those of its template.

/** Texts of a mail in the place of those of its template; their slots are filled all the same. */
export interface MailTexts {
  readonly subject?: string
  readonly preheader?: string
}
