// Whether a text shows a postal address, as laws about commercial mail ask for. Pure.
import { SLOT } from './slots.ts'

const FORMS: readonly RegExp[] = [
  /\bP\.?\s?O\.?\s?Box\s+\d/i,
  /\b(postfach|boîte postale|apartado)\s+\d/i,
  // United States: Springfield, IL 62701
  /\b[A-Z]{2}\.?,?\s+\d{5}(-\d{4})?\b/,
  // United Kingdom, Canada
  /\b[A-Z]{1,2}\d[A-Z\d]?\s\d[A-Z]{2}\b/,
  /\b[A-Z]\d[A-Z]\s?\d[A-Z]\d\b/,
  // Code and town: 10115 Berlin, 1012 AB Amsterdam, 00-950 Warszawa; a year is not a code.
  /\b(?:[A-Z]{1,2}-)?(?!(?:19|20)\d\d\s)\d{4,5}\s+(?:[A-Z]{2}\s+)?\p{Lu}\p{L}+/u,
  /\b\d{2}-\d{3}\s+\p{Lu}\p{L}+/u,
  /〒\s?\d{3}-?\d{4}/,
  // Number and street: 1 Main Street
  /\b\d{1,5}[a-z]?,?\s+(?:\p{Lu}[\p{L}.'-]*\s+){1,4}(?:Street|St|Road|Rd|Avenue|Ave|Lane|Ln|Drive|Dr|Boulevard|Blvd|Square|Sq|Way|Court|Place|Parkway)\b/u
]
/** The mailer fills `{{senderAddress}}`; a host may name its own. */
const NAMED = /address/i

/** Whether a text has a postal address, or a slot that becomes one. */
export const hasPostalAddress = (text: string): boolean =>
  FORMS.some((form) => form.test(text)) ||
  [...text.matchAll(SLOT)].some(([slot]) => NAMED.test(slot) && !/e-?mail/i.test(slot))
