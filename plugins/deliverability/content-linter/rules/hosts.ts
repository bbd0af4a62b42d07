// Hosts of links, and whose they are. Pure.
import { getDomain } from 'tldts'

/** The host of an http or https link; undefined for mail links, relative ones and slots. */
export function hostOf(href: string): string | undefined {
  if (!/^(https?:)?\/\//i.test(href)) return undefined
  const [, authority = ''] = /^(?:https?:)?\/\/([^/?#]*)/i.exec(href) ?? []
  if (authority.includes('{{')) return undefined
  const host = authority.replace(/^.*@/, '').replace(/:\d*$/, '').toLowerCase()
  return host === '' ? undefined : host
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
