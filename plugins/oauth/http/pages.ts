// The pages of the protocol itself: errors, sign-out, form posts; self-contained, with the name and colours of the host.
import {
  escapeHtml,
  hashSource,
  LANGUAGES,
  type Language,
  pickLanguage,
  prefersHtml
} from '@keelson/ui/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { HostBranding, Settings } from '../config/settings.ts'
import type { OAuthError } from '../oauth-errors.ts'
import { sealed, sendError } from './answers.ts'
import { german } from './texts.de.ts'
import { english, type PageTexts } from './texts.ts'

export interface SimplePage {
  readonly title: string
  /** HTML; text from outside must be escaped. */
  readonly body: string
  /** The only script that runs. */
  readonly script?: string
}

export interface Pages {
  /** Those of the first language that a list like `ui_locales` asks for and that is known, else the host's. */
  in(uiLocales: string | undefined): LocalPages
}

/** The pages in one language. */
export interface LocalPages {
  readonly texts: PageTexts
  /** Never framed, never cached. */
  send(reply: FastifyReply, page: SimplePage): FastifyReply
  /** An error: a page for people, JSON for programs. */
  error(request: FastifyRequest, reply: FastifyReply, error: OAuthError): FastifyReply
  /** The form_post response mode: a page that posts the parameters to the callback. */
  formPost(
    reply: FastifyReply,
    action: string,
    parameters: Readonly<Record<string, string>>
  ): FastifyReply
}

const TEXTS: Readonly<Record<Language, PageTexts>> = { de: german, en: english }

/** Prepares what is the same on every page. */
export function createPages({ branding, locale }: Pick<Settings, 'branding' | 'locale'>): Pages {
  const frame = { branding, style: styleOf(branding), head: headOf(branding) }
  const pages = new Map(LANGUAGES.map((language) => [language, pagesIn(language, frame)]))
  const usual = pagesIn(pickLanguage(locale, LANGUAGES) ?? 'en', frame)
  return {
    in(uiLocales) {
      const asked = pickLanguage(uiLocales, LANGUAGES)
      return (asked && pages.get(asked)) ?? usual
    }
  }
}

interface Frame {
  readonly branding: HostBranding
  readonly style: string
  readonly head: string
}

function pagesIn(language: Language, { branding, style, head }: Frame): LocalPages {
  const texts = TEXTS[language]
  const images = branding.logoUrl === undefined ? [] : [`img-src ${sourceOf(branding.logoUrl)}`]
  const send: LocalPages['send'] = (reply, { title, body, script }) => {
    const policy = [
      "default-src 'none'",
      `style-src ${hashSource(style)}`,
      ...images,
      ...(script === undefined ? [] : [`script-src ${hashSource(script)}`]),
      "base-uri 'none'",
      "frame-ancestors 'none'"
    ]
    return sealed(reply)
      .header('content-security-policy', policy.join('; '))
      .header('x-content-type-options', 'nosniff')
      .type('text/html; charset=utf-8')
      .send(`<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(`${title} · ${branding.name}`)}</title><style>${style}</style></head>
<body>
<main>
${head}
${body}
</main>
${script === undefined ? '' : `<script>${script}</script>`}
</body>
</html>
`)
  }
  return {
    texts,
    send,
    error(request, reply, error) {
      if (!prefersHtml(request.headers.accept)) return sendError(reply, error)
      return send(reply.code(error.status).headers(error.headers), {
        title: texts.refusedTitle,
        body: errorBody(error, String(request.id), texts)
      })
    },
    formPost(reply, action, parameters) {
      const fields = Object.entries(parameters).map(([name, value]) => hiddenField(name, value))
      return send(reply.code(200), {
        title: texts.leavingTitle,
        body: `<form method="post" action="${escapeHtml(action)}">${fields.join('')}
<p>${escapeHtml(texts.leaving)}</p><noscript><button>${escapeHtml(texts.continue)}</button></noscript></form>`,
        script: 'document.forms[0].submit()'
      })
    }
  }
}

export const hiddenField = (name: string, value: string): string =>
  `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`

/** The person reads what happened; code and description are for the developer, in English as on the wire. */
function errorBody(
  { code, description }: OAuthError,
  requestId: string,
  { refused, sentences, goBack, error, request }: PageTexts
): string {
  const sentence = Object.entries(sentences).find(([known]) => known === code)?.[1]
  const detail =
    description === undefined ? '' : `<p class="quiet" lang="en">${escapeHtml(description)}</p>\n`
  return `<h1>${escapeHtml(refused)}</h1>
<p>${escapeHtml(sentence ?? sentences.other)}</p>
<p>${escapeHtml(goBack)}</p>
${detail}<p class="quiet">${escapeHtml(error)} <code>${escapeHtml(code)}</code> · ${escapeHtml(request)} <code>${escapeHtml(requestId)}</code></p>`
}

/** The name beside the logo, or beside its first letter. */
function headOf({ name, logoUrl }: HostBranding): string {
  const [first = '?'] = name
  const mark =
    logoUrl === undefined
      ? `<span class="mark" aria-hidden="true">${escapeHtml(first.toUpperCase())}</span>`
      : `<img class="mark" src="${escapeHtml(logoUrl)}" alt="" width="32" height="32">`
  return `<p class="brand">${mark}${escapeHtml(name)}</p>`
}

/** The origin of an image, for the policy. */
function sourceOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : "'self'"
}

const ACCENT = 'light-dark(#0b6e8f,#4db6d6)'
const ACCENT_INK = 'light-dark(#fff,#06222c)'

function styleOf({ accentColor }: HostBranding): string {
  const accent = accentColor ?? ACCENT
  const ink = accentColor === undefined ? ACCENT_INK : inkOn(accentColor)
  return `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif;background:light-dark(#f6f7f9,#0f131a);color:light-dark(#161b26,#e7ebf2)}
body{margin:0;padding:10vh 1rem 2rem;display:grid;justify-items:center}
main{box-sizing:border-box;width:100%;max-width:30rem;padding:1.5rem;border:1px solid light-dark(#dfe3ea,#272f3c);border-radius:10px;background:light-dark(#fff,#161b24);overflow-wrap:anywhere}
h1{font-size:1.35rem;line-height:1.3;margin:1rem 0 .5rem}
p{margin:.5rem 0}
.brand{display:flex;align-items:center;gap:.6rem;margin:0;font-weight:650}
.mark{display:grid;place-items:center;width:2rem;height:2rem;border-radius:8px;background:${accent};color:${ink};object-fit:contain}
img.mark{background:none}
.quiet{margin-top:1rem;font-size:.85rem;color:light-dark(#4a5465,#b3bccb)}
.actions{display:flex;flex-wrap:wrap;gap:.75rem;align-items:center;margin-top:1.25rem}
button,.button{font:inherit;font-weight:600;padding:.5rem 1rem;border:0;border-radius:6px;background:${accent};color:${ink};text-decoration:none;cursor:pointer}
a:not(.button){color:inherit}`
}

/** Black or white, whichever reads better on a colour (WCAG 2.2, relative luminance). */
export function inkOn(color: string): '#000' | '#fff' {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#000' : '#fff'
}
