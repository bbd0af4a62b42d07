// Text that was meant to be replaced: samples of editors, notes to oneself, the slots of other services. Pure.
import { SLOT } from './slots.ts'

const FORMS: readonly RegExp[] = [
  /\blorem ipsum\b/i,
  /\b(TODO|TBD|FIXME|XXX+)\b/,
  // Notes in brackets: [Your company], [insert date here]
  /\[\s*(?:your|ihre?[mnrs]?|deine?[mnrs]?|insert|add|enter|first|last|company|customer|recipient|name|date|link|url)\b[^\]\n]{0,60}\]/i,
  /<\s*(?:your|insert)\b[^>\n]{0,60}>/i,
  /\b(?:insert|add|enter) (?:your )?(?:text|copy|image|link|name|headline|title) here\b/i,
  // Reserved for documentation: never a real page
  /\bhttps?:\/\/(?:www\.)?example\.(?:com|net|org)\b/i,
  /\bplaceholder (?:text|image|copy)\b/i,
  /\byour (?:headline|subject line|text|tagline) (?:goes )?here\b/i,
  // Mailchimp *|FNAME|*, SendGrid -name- and %name%, Mailgun %recipient.name%, listmonk {{ .Subscriber.Name }}
  /\*\|[A-Z][A-Z0-9_:]{1,40}\|\*/,
  /%%[A-Za-z_][\w.]{0,40}%%/,
  /%recipient\.[\w.]{1,40}%/,
  /\$\{[A-Za-z_][\w.]{0,40}\}/,
  /\[%[\s\w.]{1,40}%\]/,
  /\[\[[A-Za-z_][\w.]{0,40}\]\]/
]
/** Slots of Go templates and Liquid filters, which the mailer does not fill as their author means. */
const FOREIGN_SLOT = /^\{\{\{?\s*(?:\.\w|[\w.]+\s*\|)/

/** The placeholders of a text, the first of each kind. */
export function placeholdersIn(text: string): readonly string[] {
  const foreign = (text.match(SLOT) ?? []).find((slot) => FOREIGN_SLOT.test(slot))
  const words = text.replace(SLOT, ' ')
  const found = FORMS.flatMap((form) => form.exec(words)?.[0] ?? [])
  return foreign === undefined ? found : [...found, foreign]
}
