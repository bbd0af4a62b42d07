// Who runs the mailbox behind an address, as far as its domain says so.

/** The large mailbox providers, which judge senders each on their own; `other` is everyone else. */
export const MAILBOX_PROVIDERS = ['gmail', 'yahoo', 'microsoft', 'apple', 'other'] as const

/** Who runs a mailbox. */
export type MailboxProvider = (typeof MAILBOX_PROVIDERS)[number]

const words = (text: string) => text.trim().split(/\s+/)

const YAHOO_COUNTRIES = words(`
  ca cz de dk es fi fr gr hu ie in it nl no pl pt ro se
  co.id co.il co.in co.jp co.kr co.nz co.th co.uk co.za
  com.ar com.au com.br com.co com.hk com.mx com.my com.pe com.ph com.sg com.tr com.tw com.ve com.vn`)
const HOTMAIL_COUNTRIES = words(`
  be ca ch cl co.id co.il co.in co.jp co.kr co.nz co.th co.uk co.za com.ar com.au com.br com.hk
  com.mx com.my com.ph com.sg com.tr com.tw com.vn cz de dk es fi fr gr hu it nl no rs se sk`)
const LIVE_COUNTRIES = words(`
  at be ca cl cn co.kr co.uk co.za com.ar com.au com.mx com.my com.ph com.pt com.sg de dk fi fr hk
  ie in it jp nl no ru se`)
const OUTLOOK_COUNTRIES = words(`
  at be cl co.id co.il co.nz co.th com.ar com.au com.br com.gr com.pe com.tr com.vn cz de dk es fr
  hu ie in it jp kr lv my ph pt sa sg sk`)

const under = (name: string, endings: readonly string[]) =>
  ['com', ...endings].map((ending) => `${name}.${ending}`)

const DOMAINS: Readonly<Record<Exclude<MailboxProvider, 'other'>, readonly string[]>> = {
  gmail: words('gmail.com googlemail.com'),
  yahoo: [
    ...under('yahoo', YAHOO_COUNTRIES),
    ...words(`ymail.com rocketmail.com myyahoo.com aol.com aol.co.uk aol.de aol.fr aim.com
      verizon.net att.net sbcglobal.net bellsouth.net ameritech.net pacbell.net swbell.net`)
  ],
  microsoft: [
    ...under('hotmail', HOTMAIL_COUNTRIES),
    ...under('live', LIVE_COUNTRIES),
    ...under('outlook', OUTLOOK_COUNTRIES),
    ...words('msn.com passport.com windowslive.com')
  ],
  apple: words('icloud.com me.com mac.com privaterelay.appleid.com')
}

const BY_DOMAIN: ReadonlyMap<string, MailboxProvider> = new Map(
  Object.entries(DOMAINS).flatMap(([provider, domains]) =>
    domains.map((domain) => [domain, provider as MailboxProvider] as const)
  )
)

/** Who runs the mailbox of an address or domain. Domains of companies are `other`, wherever they are hosted. */
export function mailboxProviderOf(address: string): MailboxProvider {
  const domain = address.slice(address.lastIndexOf('@') + 1)
  return BY_DOMAIN.get(domain.trim().toLowerCase().replace(/\.$/, '')) ?? 'other'
}
