// Hosts of links, and whose they are. Pure.
import { getDomain } from 'tldts'

/** As browsers read them: any number of slashes, forwards or back. */
const AUTHORITY = /^(?:https?:[\\/]*|[\\/]{2,})([^\\/?#]*)/i

/** The host of an http or https link as browsers open it; undefined for mail links, relative ones and slots. */
export function hostOf(href: string): string | undefined {
  const [, authority] = AUTHORITY.exec(href) ?? []
  if (authority === undefined || authority.includes('{{')) return undefined
  try {
    const { hostname } = new URL(`https://${authority}`)
    return hostname.replace(/\.+$/, '') || undefined
  } catch {
    return undefined
  }
}

/** The part of a host that is registered: `shop.example.co.uk` is `example.co.uk`. */
export const registrable = (host: string): string => getDomain(host) ?? host

export const isWithin = (host: string, domain: string): boolean =>
  host === domain || host.endsWith(`.${domain}`)

export const domainOf = (email: string): string =>
  email.slice(email.lastIndexOf('@') + 1).toLowerCase()

/** Services whose links hide where they go. Spam filters count them. */
export const SHORTENERS: readonly string[] = (
  'adf.ly amzn.to bit.do bit.ly bl.ink buff.ly cutt.ly dlvr.it fb.me goo.gl is.gd lnkd.in ow.ly ' +
  'rb.gy rebrand.ly s.id shorturl.at soo.gd t.co t.ly tiny.cc tinyurl.com trib.al v.gd'
).split(' ')
