// The address that a mail goes to, in words.

/** A contact that is deleted, or has no address that mail can go to, leaves none on its mails. */
export const addressWords = (
  { emailAtSend }: { readonly emailAtSend: string | null },
  t: (key: string) => string
): string => emailAtSend ?? t('mail.noAddress')
