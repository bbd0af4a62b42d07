// Rules about what a mail says: subject, preheader, words, parts. Pure.
import type { LintRule } from '../contracts.ts'
import { placeholdersIn } from './placeholders.ts'
import { hasPostalAddress } from './postal-address.ts'
import { hasSlot, hasSlotNamed, variableNames, withSlotsFilled } from './slots.ts'

const none: readonly [] = []
const SUBJECT_LENGTH = 60
const SHORT_TEXT = 20

/** Few and strong: each was measured on real newsletters. */
const SPAM_PHRASES: readonly (readonly [pattern: RegExp, phrase: string])[] = [
  [/\bACT NOW\b/i, 'act now'],
  [/\bFREE\b/, 'FREE'],
  [/\b100\s?%\s+guaranteed\b/i, '100% guaranteed'],
  [/!{3,}/, '!!!']
]

export const contentRules: readonly LintRule[] = [
  {
    id: 'compile_failed',
    severity: 'error',
    check: ({ compileError }) =>
      compileError === null ? none : [{ message: `It does not compile: ${compileError}` }]
  },
  {
    id: 'missing_plain_text',
    severity: 'error',
    check: ({ text, compileError }) =>
      text.trim() !== '' || compileError !== null
        ? none
        : [{ message: 'The text part is empty.', hint: 'Write words that can be read as text.' }]
  },
  {
    id: 'image_only_body',
    severity: 'error',
    check: ({ images, visibleText }) =>
      images.length === 0 || hasSlot(visibleText) || visibleText.length >= SHORT_TEXT
        ? none
        : [
            {
              message: 'The mail is nothing but images.',
              hint: `Write at least ${SHORT_TEXT} characters of text: many people see no images.`
            }
          ]
  },
  {
    id: 'missing_unsubscribe_tag',
    severity: 'error',
    check: ({ kind, bodyFormat, links, visibleText, text }) => {
      const shown =
        bodyFormat === 'text_only' ? [text] : [visibleText, ...links.map(({ href }) => href)]
      if (kind !== 'marketing' || shown.some((one) => hasSlotNamed(one, 'unsubscribeUrl')))
        return none
      const hint = 'In code: <a href="{{unsubscribeUrl}}">Unsubscribe</a>.'
      return [{ message: 'Add an unsubscribe link. The law and Gmail require one.', hint }]
    }
  },
  {
    id: 'missing_sender_address',
    severity: 'warning',
    check: ({ kind, bodyFormat, visibleText, tags, text }) => {
      const shown = bodyFormat === 'text_only' ? text : visibleText
      if (kind !== 'marketing' || tags.has('address') || hasPostalAddress(shown)) return none
      const message = 'Marketing mail must show the postal address of its sender.'
      return [{ message, hint: 'Add {{senderAddress}}, or write the address.' }]
    }
  },
  {
    id: 'placeholder_text',
    severity: 'warning',
    check: ({ subject, preheader, visibleText, text, links }) => {
      const said = [subject, preheader, visibleText, text, ...links.map(({ href }) => href)]
      const found = placeholdersIn(said.join('\n'))
      return found.map((placeholder) => ({
        facts: { text: placeholder.slice(0, 60) },
        message: `"${placeholder.slice(0, 60)}" looks like text that was to be replaced.`,
        hint: 'Write the words, or a slot as {{contact.firstName}}.'
      }))
    }
  },
  {
    id: 'spam_phrases',
    severity: 'warning',
    check: ({ subject, preheader, visibleText }) => {
      const said = [subject, preheader, visibleText].join('\n')
      const found = SPAM_PHRASES.filter(([pattern]) => pattern.test(said))
      if (found.length === 0) return none
      const phrases = found.map(([, phrase]) => `"${phrase}"`).join(', ')
      const message = `Words that spam uses: ${phrases}.`
      return [{ message, hint: 'Say it in other words.', facts: { phrases } }]
    }
  },
  {
    id: 'all_caps_subject',
    severity: 'warning',
    check: ({ subject }) => {
      const letters = [...subject.replace(/\{\{[^{}]*\}\}\}?/g, '')].filter(isLetter)
      const capitals = letters.filter((letter) => letter !== letter.toLowerCase())
      return letters.length < 5 || capitals.length * 2 <= letters.length
        ? none
        : [{ message: 'Most of the subject is in capital letters.' }]
    }
  },
  {
    id: 'subject_too_long',
    severity: 'warning',
    check: ({ subject }) => {
      const length = [...withSlotsFilled(subject)].length
      return length <= SUBJECT_LENGTH
        ? none
        : [{ message: `The subject has ${length} characters: phones cut it at about 40 to 60.` }]
    }
  },
  {
    id: 'empty_preheader',
    severity: 'info',
    check: ({ preheader }) =>
      preheader.trim() !== ''
        ? none
        : [{ message: 'There is no preheader: mail clients show the first words instead.' }]
  },
  {
    id: 'unknown_variable',
    severity: 'warning',
    check: ({ variables, subject, preheader, shownHtml, text }) => {
      if (variables === undefined) return none
      const used = variableNames([subject, preheader, shownHtml, text].join('\n'))
      const unknown = [...used].filter((name) => !variables.includes(name))
      return unknown.map((name) => ({
        facts: { name },
        message: `The variable vars.${name} is not declared.`,
        hint: `Declared are: ${variables.join(', ')}.`
      }))
    }
  }
]

/** It has both cases. */
const isLetter = (char: string): boolean => char.toLowerCase() !== char.toUpperCase()
