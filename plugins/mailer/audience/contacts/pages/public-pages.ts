// The pages for recipients: small, without scripts, light and dark, with the sender's name.
import { escapeHtml, hashSource } from '@keelson/ui/server'
import type { FastifyReply } from 'fastify'
import { fillText, type PublicTexts, TEXTS } from './texts.ts'

/** How pages look and speak. */
export interface PageOptions {
  /** Shown on each page. */
  readonly sender: string
  /** BCP 47. Default `en`. */
  readonly locale?: string
  /** Texts that replace the English ones. */
  readonly texts?: Partial<PublicTexts>
}

/** Pages that say one thing, by name; made once. */
export type MessagePage =
  | 'unsubscribed'
  | 'retry'
  | 'expired'
  | 'confirmed'
  | 'alreadyConfirmed'
  | 'replaced'
  | 'confirmExpired'
  | 'unknownLink'
  | 'badLink'
  | 'preview'
  | 'nothingHere'
  | 'wrongChoice'
  | 'failed'

/** Pages, prepared. */
export interface PublicPages {
  readonly locale: string
  /** A text, filled in, not escaped. `sender` is always known. */
  text(name: keyof PublicTexts, values?: Readonly<Record<string, string>>): string
  /** Sends a page that says one thing. */
  send(reply: FastifyReply, status: number, page: MessagePage): FastifyReply
  /** Sends a page of markup; texts in it must be escaped. */
  sendMarkup(
    reply: FastifyReply,
    status: number,
    page: { readonly title: string; readonly body: string }
  ): FastifyReply
}

const MESSAGES: Readonly<Record<MessagePage, readonly [keyof PublicTexts, (keyof PublicTexts)?]>> =
  {
    unsubscribed: ['unsubscribedTitle', 'unsubscribedText'],
    retry: ['retryTitle', 'retryText'],
    expired: ['expiredTitle', 'expiredText'],
    confirmed: ['confirmedTitle', 'confirmedText'],
    alreadyConfirmed: ['alreadyConfirmedTitle'],
    replaced: ['replacedTitle', 'replacedText'],
    confirmExpired: ['expiredTitle', 'confirmExpiredText'],
    unknownLink: ['unknownLinkTitle', 'unknownLinkText'],
    badLink: ['badLinkTitle'],
    preview: ['previewTitle', 'previewText'],
    nothingHere: ['nothingHereTitle', 'nothingHereText'],
    wrongChoice: ['wrongChoiceTitle', 'wrongChoiceText'],
    failed: ['failedTitle', 'failedText']
  }

/** Prepares the pages. */
export function createPublicPages({ sender, locale = 'en', texts }: PageOptions): PublicPages {
  const known: PublicTexts = { ...TEXTS, ...texts }
  const text: PublicPages['text'] = (name, values) => fillText(known[name], { sender, ...values })
  const markup = (title: string, body: string) => `<!doctype html>
<html lang="${escapeHtml(locale)}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>${escapeHtml(`${title} · ${sender}`)}</title><style>${STYLE}</style></head>
<body><main>
<p class="sender">${escapeHtml(sender)}</p>
<h1>${escapeHtml(title)}</h1>
${body}
</main></body>
</html>
`
  const messages = new Map(
    Object.entries(MESSAGES).map(([page, [title, line]]) => {
      const body = line === undefined ? '' : `<p>${escapeHtml(text(line))}</p>`
      return [page, markup(text(title), body)]
    })
  )
  return {
    locale,
    text,
    send: (reply, status, page) => sendPage(reply.code(status), messages.get(page) ?? ''),
    sendMarkup: (reply, status, { title, body }) =>
      sendPage(reply.code(status), markup(title, body))
  }
}

const STYLE = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif;background:light-dark(#f6f7f9,#0f131a);color:light-dark(#161b26,#e7ebf2)}
body{margin:0;padding:10vh 1rem 2rem;display:grid;justify-items:center}
main{box-sizing:border-box;width:100%;max-width:30rem;padding:1.5rem;border:1px solid light-dark(#dfe3ea,#272f3c);border-radius:10px;background:light-dark(#fff,#161b24);overflow-wrap:anywhere}
h1{font-size:1.35rem;line-height:1.3;margin:.75rem 0 .5rem}
pre{white-space:pre-wrap;font:inherit;margin:1rem 0 0}
h2{font-size:1.05rem;margin:1.5rem 0 .5rem}
p{margin:.5rem 0}
.sender{margin:0;font-weight:650;color:light-dark(#4a5465,#b3bccb)}
form{display:flex;flex-wrap:wrap;gap:.75rem;margin:1rem 0 0}
fieldset{flex-basis:100%;display:grid;gap:.75rem;margin:0;padding:0;border:0}
legend{padding:0;margin-bottom:.5rem;font-weight:650}
label{display:grid;grid-template-columns:auto 1fr;gap:.1rem .6rem;align-items:baseline}
label small{grid-column:2;color:light-dark(#4a5465,#b3bccb)}
button{font:inherit;font-weight:600;padding:.5rem 1rem;border:1px solid transparent;border-radius:6px;background:light-dark(#0b6e8f,#4db6d6);color:light-dark(#fff,#06222c);cursor:pointer}
button.quiet{background:none;border-color:light-dark(#7b8596,#6b7686);color:inherit}
:focus-visible{outline:3px solid light-dark(#0b6e8f,#4db6d6);outline-offset:2px}`

const POLICY = [
  "default-src 'none'",
  `style-src ${hashSource(STYLE)}`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'"
].join('; ')

const sendPage = (reply: FastifyReply, page: string): FastifyReply =>
  reply
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer')
    .header('x-content-type-options', 'nosniff')
    .header('content-security-policy', POLICY)
    .type('text/html; charset=utf-8')
    .send(page)
