// Prepares a published version once, so that a mail is nothing but filled slots.

import { createBoundedMap } from '@keelson/sdk'
import { decodeHTMLAttribute } from 'entities'
import { defined } from '../../ledger/defined.ts'
import type { MailTexts } from '../../ledger/mail-texts.ts'
import type {
  MailAddresses,
  PreparedTemplate,
  RenderedContent,
  RenderInput,
  RenderResult
} from '../../ledger/prepared-template.ts'
import type { TrackedLink } from '../../ledger/send-row.ts'
import type { TemplateVersionRow } from '../../ledger/template-rows.ts'
import { fillVariables } from './fill-variables.ts'
import { judgeTarget, type TargetVerdict } from './link-target.ts'
import { escapeAddress, type LinkPlace, markHtml } from './mark-html.ts'
import {
  BudgetExceeded,
  escapeHtml,
  type FillSlots,
  type MarkWriter,
  type RenderState,
  type SlotEngine
} from './slot-engine.ts'

/** Limits of one mail. */
export const RENDER_LIMITS = {
  /** Turns of all loops together. */
  iterations: 20_000,
  /** Characters of subject, preheader, HTML and text together. */
  characters: 2_000_000,
  /** Links after these are written as they are. */
  trackedLinks: 500
} as const

/** What a version is prepared with. */
export interface PrepareOptions {
  readonly engine: SlotEngine
  /** `{{senderAddress}}`. */
  readonly senderAddress?: string
  /** Addresses that begin with this are those of the mailer itself, never tracked. */
  readonly ownAddresses: string
}

/** The content that is prepared. */
export type PreparableVersion = Omit<
  TemplateVersionRow,
  '_id' | 'body' | 'name' | 'description' | 'tags' | 'publishedAt' | 'publishedBy'
>

/** @throws Handlebars.Exception when slots are malformed or refused. */
export function prepareTemplate(
  version: PreparableVersion,
  options: PrepareOptions
): PreparedTemplate {
  const { engine } = options
  const { compiledHtml, compiledText, bodyFormat, variablesSchema, ...content } = version
  const marked =
    bodyFormat === 'text_only' || compiledHtml === '' ? undefined : markHtml(compiledHtml)
  const parts: Parts = {
    subject: engine.compile(version.subject, 'text'),
    preheader: engine.compile(version.preheader, 'text'),
    text: engine.compile(compiledText, 'text'),
    ...(marked && { html: engine.compile(marked.source, 'html'), links: marked.links })
  }
  const compiled = compileOnce(engine)
  return {
    slug: content.slug,
    version: content.version,
    kind: content.kind,
    ...(content.category !== undefined && { category: content.category }),
    ...(content.providerOverride !== undefined && { providerOverride: content.providerOverride }),
    ...defined({ providerPatienceHours: content.providerPatienceHours }),
    bodyFormat,
    trackOpens: content.trackOpens,
    trackClicks: content.trackClicks,
    fromName: oneLine(content.fromName),
    fromEmail: content.fromEmail,
    replyTo: content.replyTo,
    bodyHash: content.bodyHash,
    render(input) {
      const filled = fillVariables(variablesSchema, input.vars)
      if (!filled.ok) {
        const message = `Variables are missing: ${filled.missing.join(', ')}`
        return { ok: false, code: 'variable_missing', message }
      }
      return render(parts, { ...input, vars: filled.vars }, { ...options, compiled })
    }
  }
}

interface Parts {
  readonly subject: FillSlots
  readonly preheader: FillSlots
  readonly text: FillSlots
  readonly html?: FillSlots
  readonly links?: readonly LinkPlace[]
}

/** Texts that a template was rendered with in the place of its own. */
const MOST_TEXTS = 50

/** Compiles a text with its first mail. */
function compileOnce({ compile }: SlotEngine): (text: string) => FillSlots {
  const known = createBoundedMap<string, FillSlots>(MOST_TEXTS)
  return (text) => {
    const fill = known.get(text) ?? compile(text, 'text')
    known.set(text, fill)
    return fill
  }
}

interface FillOptions extends PrepareOptions {
  compiled(text: string): FillSlots
}

function render(parts: Parts, input: RenderInput, options: FillOptions): RenderResult {
  try {
    return { ok: true, mail: fillParts(parts, input, options) }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const isTooLarge = error instanceof BudgetExceeded
    return { ok: false, code: isTooLarge ? 'render_too_large' : 'template_failed', message }
  }
}

function fillParts(own: Parts, input: RenderInput, options: FillOptions): RenderedContent {
  const { iterations, characters } = RENDER_LIMITS
  const state: RenderState = { budget: { iterations, characters } }
  const roots = rootsOf(input, options)
  const parts = { ...own, ...textsOf(input.texts, options) }
  const subject = oneLine(parts.subject(roots, state))
  const preheader = oneLine(parts.preheader(roots, state))
  const text = parts.text(roots, state).replace(/\r\n?/g, '\n')
  if (parts.html === undefined) return { subject, preheader, text, links: [] }
  const tracker = createTracker(input.addresses, options.ownAddresses)
  const marks = marksOf(parts.links ?? [], { tracker, preheader, addresses: input.addresses })
  const html = parts.html(roots, { ...state, marks })
  return { subject, preheader, html, text, links: tracker.links }
}

const textsOf = (
  { subject, preheader }: MailTexts = {},
  { compiled }: Pick<FillOptions, 'compiled'>
) => ({
  ...(subject !== undefined && { subject: compiled(subject) }),
  ...(preheader !== undefined && { preheader: compiled(preheader) })
})

function rootsOf(input: RenderInput, { senderAddress }: PrepareOptions) {
  const { contact, vars, event, roots, addresses } = input
  return {
    ...roots,
    contact,
    vars,
    event: event === undefined ? {} : { name: event.name, ...event.properties },
    unsubscribeUrl: addresses.unsubscribeUrl,
    preferencesUrl: addresses.preferencesUrl,
    preferenceCenterUrl: addresses.preferencesUrl,
    viewInBrowserUrl: addresses.viewInBrowserUrl,
    senderAddress
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: none of them may be in a header
const BREAKS = /[\0-\x1f\x7f-\x9f\u2028\u2029]+/g

/** Text for a header: line breaks and control characters become spaces. */
export const oneLine = (text: string): string => text.replace(BREAKS, ' ').trim()

interface Tracker {
  readonly links: TrackedLink[]
  /** What is written for a target: its tracking address, or itself. */
  hrefOf(verdict: TargetVerdict): string
}

function createTracker(addresses: MailAddresses, ownAddresses: string): Tracker {
  const { linkId, clickUrl, unsubscribeUrl, preferencesUrl, viewInBrowserUrl } = addresses
  const links: TrackedLink[] = []
  const byTarget = new Map<string, string>()
  const own: readonly unknown[] = [unsubscribeUrl, preferencesUrl, viewInBrowserUrl]
  const track = (target: string): string | undefined => {
    if (linkId === undefined || clickUrl === undefined) return undefined
    if (links.length >= RENDER_LIMITS.trackedLinks) return undefined
    if (own.includes(target) || target.startsWith(ownAddresses)) return undefined
    const id = linkId(target)
    links.push({ linkId: id, url: target })
    return clickUrl(id)
  }
  return {
    links,
    hrefOf({ href, target }) {
      if (target === undefined) return href
      const known = byTarget.get(target)
      if (known !== undefined) return known
      const address = track(target) ?? href
      byTarget.set(target, address)
      return address
    }
  }
}

interface MarkOptions {
  readonly tracker: Tracker
  readonly preheader: string
  readonly addresses: MailAddresses
}

const HIDDEN = 'display:none;max-height:0;overflow:hidden;mso-hide:all'

function marksOf(places: readonly LinkPlace[], options: MarkOptions): MarkWriter {
  const { tracker, preheader, addresses } = options
  const { openPixelUrl, honeypotUrl } = addresses
  return {
    link(index, filled) {
      const place = places[index]
      if (place === undefined) return filled ?? ''
      const verdict = place.verdict ?? judgeTarget(decodeHTMLAttribute(filled ?? ''), place)
      return escapeAddress(tracker.hrefOf(verdict))
    },
    pixel() {
      const pixel =
        openPixelUrl === undefined
          ? ''
          : `<img src="${escapeAddress(openPixelUrl)}" width="1" height="1" alt="" style="display:block;border:0">`
      return honeypotUrl === undefined || tracker.links.length === 0
        ? pixel
        : `<a href="${escapeAddress(honeypotUrl)}" style="${HIDDEN}" tabindex="-1" aria-hidden="true"></a>${pixel}`
    },
    preheader: () =>
      preheader === '' ? '' : `<div style="${HIDDEN}">${escapeHtml(preheader)}</div>`
  }
}
