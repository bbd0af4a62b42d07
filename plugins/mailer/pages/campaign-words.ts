// The campaign of another plugin, in words: what it is, and its name.

/** A kind without words, of a plugin that the mailer does not know, stays as it is. */
export function campaignWords(
  { kind, slug }: { readonly kind: string; readonly slug: string },
  name: string | undefined,
  t: (key: string, values?: Readonly<Record<string, string>>) => string
): string {
  const key = `mail.campaign.${kind}`
  const words = t(key)
  return t('mail.campaign', { kind: words === key ? kind : words, name: name ?? slug })
}
