// The texts of the pages for recipients, in one place, so that a host can translate them.

/** All texts of the public pages. Values in braces are filled in. */
export const TEXTS = {
  unsubscribeTitle: 'Unsubscribe',
  unsubscribeAll: 'Stop all mail to {email} from {sender}?',
  unsubscribeMarketing: 'Stop marketing mail to {email} from {sender}?',
  unsubscribeTransactional: 'Stop service mail to {email} from {sender}?',
  unsubscribeCategory: 'Stop mail about “{category}” to {email} from {sender}?',
  unsubscribeButton: 'Unsubscribe',
  unsubscribedTitle: 'You are unsubscribed',
  unsubscribedCategory: 'You get no more mail about “{category}” from {sender}.',
  unsubscribedText: 'Your choice is recorded. Mail that is on its way may still arrive.',
  retryTitle: 'Try again in a minute',
  retryText: 'Your choice could not be recorded. Nothing has changed yet.',
  expiredTitle: 'This link is not valid',
  expiredText: 'It has expired or is incomplete. Use the link of a newer mail.',
  preferencesTitle: 'Choose what you receive',
  preferencesButton: 'Save',
  unsubscribeFromAllButton: 'Unsubscribe from all marketing mail',
  savedTitle: 'Your choices are saved',
  pauseTitle: 'Take a break',
  pauseButton: 'Pause for {days} days',
  pausedText: 'Marketing mail is paused until {date}.',
  resumeButton: 'Resume now',
  pausedTitle: 'Mail is paused',
  resumedTitle: 'Mail is resumed',
  confirmTitle: 'Confirm your subscription',
  confirmText: 'Do you want to receive mail from {sender}?',
  confirmButton: 'Confirm',
  confirmedTitle: 'Your subscription is confirmed',
  confirmedText: 'Thank you. You can leave at any time with a link in each mail.',
  alreadyConfirmedTitle: 'Your subscription is already confirmed',
  replacedTitle: 'This link was replaced',
  replacedText: 'Use the link of the latest confirmation mail, or subscribe again.',
  confirmExpiredText: 'It has expired or is incomplete. Subscribe again to get a new one.',
  unknownLinkTitle: 'This link leads nowhere',
  unknownLinkText: 'It is incomplete, or the mail is too old.',
  badLinkTitle: 'This link is broken',
  previewTitle: 'This link is part of a preview',
  previewText: 'Nothing has changed. The link of a mail that was sent works.',
  nothingHereTitle: 'There is nothing to do here',
  nothingHereText: 'You can close this page.',
  wrongChoiceTitle: 'That choice is not possible',
  wrongChoiceText: 'Go back and choose again.',
  failedTitle: 'Something went wrong',
  failedText: 'Try again later.'
} as const

/** Texts by name. */
export type PublicTexts = { readonly [name in keyof typeof TEXTS]: string }

/** Fills values into the braces of a text. */
export function fillText(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (slot, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? slot) : slot
  )
}
