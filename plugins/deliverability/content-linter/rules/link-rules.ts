// Rules about links, images and the sender. Pure.
import type { LintContext, LintedLink, LintedMail, LintFinding, LintRule } from '../contracts.ts'
import { withoutHtmlComments } from '../document/without-comments.ts'
import { domainOf, hostOf, isWithin, registrable } from './hosts.ts'

const none: readonly [] = []
const MOST_LINKS = 10

/** The rules, with the shorteners that links are compared with. */
export const linkRules = (shorteners: readonly string[]): readonly LintRule[] => [
  {
    id: 'url_shortener',
    severity: 'error',
    check: ({ links, bareText }) => {
      const hosts = new Set([...hostsOf(links), ...bareUrls(bareText).flatMap(hostList)])
      const found = [...hosts].filter((host) => shorteners.some((one) => isWithin(host, one)))
      return found.map((host) => ({
        facts: { host },
        message: `A link uses the shortener ${host}.`,
        hint: 'Link to the page itself: spam filters distrust shorteners.'
      }))
    }
  },
  { id: 'sender_domain_invalid', severity: 'error', check: checkSender },
  {
    id: 'bare_url',
    severity: 'warning',
    check: ({ bareText }) => {
      const [first] = bareUrls(bareText)
      return first === undefined
        ? none
        : [{ message: `An address is written out: ${first.slice(0, 80)}`, hint: 'Make it a link.' }]
    }
  },
  {
    id: 'too_many_links',
    severity: 'warning',
    check: ({ links }) => {
      const count = links.filter(({ href }) => href !== '' && !href.startsWith('#')).length
      return count <= MOST_LINKS
        ? none
        : [{ message: `The mail has ${count} links; more than ${MOST_LINKS} look like spam.` }]
    }
  },
  { id: 'offdomain_links', severity: 'warning', check: checkDomains },
  {
    id: 'insecure_link',
    severity: 'warning',
    check: ({ links }) => {
      const insecure = links.filter(({ href }) => /^http:\/\//i.test(href))
      if (insecure.length === 0) return none
      const [first] = insecure
      const message = `${insecure.length} of the links use http, as ${first?.href.slice(0, 80)}`
      return [{ message, hint: 'Use https.' }]
    }
  },
  {
    id: 'image_missing_alt',
    severity: 'warning',
    check: ({ images, source }) => {
      const missing = images.filter(({ alt }) => alt === undefined).length + withoutAlt(source)
      if (missing === 0) return none
      const message = `${missing} of ${images.length} images have no alt text.`
      return [{ message, hint: 'Describe the image, or write alt="" for a decorative one.' }]
    }
  },
  {
    id: 'image_only_link',
    severity: 'warning',
    check: ({ links }) => {
      const count = links.filter(({ hasImage, text }) => hasImage && text === '').length
      if (count === 0) return none
      const message = `${count} of the links are nothing but an image.`
      return [{ message, hint: 'Add words to the link: many people see no images.' }]
    }
  }
]

/** MJML gives each image an empty alt text, so the author's source is asked. */
const withoutAlt = (source: string | null): number =>
  withoutHtmlComments(source ?? '')
    .match(/<mj-image\b[^>]*>/gi)
    ?.filter((image) => !/\salt\s*=/i.test(image)).length ?? 0

const hostList = (href: string): readonly string[] => {
  const host = hostOf(href)
  return host === undefined ? [] : [host]
}

const hostsOf = (links: readonly LintedLink[]): readonly string[] =>
  links.flatMap(({ href }) => hostList(href))

/** Addresses in running text. */
const bareUrls = (text: string): readonly string[] => text.match(/\bhttps?:\/\/[^\s<>"{}]+/gi) ?? []

function checkSender({ fromEmail, kind }: LintedMail, { senderDomains }: LintContext) {
  const message = senderFault(fromEmail)
  if (message !== undefined) return [{ message }]
  // A mailer that registers no domain may send from any.
  if (senderDomains.every(({ isUnregistered }) => isUnregistered)) return none
  const domain = domainOf(fromEmail)
  const found = senderDomains.find((one) => one.domain === domain)
  const known = senderDomains.map((one) => `${one.domain} (${one.kind})`).join(', ')
  const hint = `The sender domains are: ${known}.`
  if (found === undefined) return [{ message: `${domain} is not a sender domain.`, hint }]
  if (found.kind === 'both' || found.kind === kind) return none
  return [{ message: `${domain} must not send ${kind} mail.`, hint }]
}

function senderFault(fromEmail: string): string | undefined {
  if (fromEmail === '') return 'There is no From address.'
  return /^[^\s@]+@[^\s@]+$/.test(fromEmail)
    ? undefined
    : `The From address ${fromEmail.slice(0, 80)} is invalid.`
}

/** Only links whose host is known count. */
function checkDomains(
  { links, fromEmail }: LintedMail,
  { linkDomains }: LintContext
): readonly LintFinding[] {
  const own = new Set([domainOf(fromEmail), ...linkDomains].map(registrable))
  const domains = hostsOf(links).map(registrable)
  const foreign = domains.filter((domain) => !own.has(domain))
  if (foreign.length * 2 <= domains.length) return none
  const names = [...new Set(foreign)].slice(0, 5).join(', ')
  return [
    {
      facts: { names },
      message: `${foreign.length} of ${domains.length} links lead to ${names}, not to ${domainOf(fromEmail)}.`,
      hint: 'Filters trust links to your own domain. An administrator adds further domains of yours as linkDomains in the config.'
    }
  ]
}
