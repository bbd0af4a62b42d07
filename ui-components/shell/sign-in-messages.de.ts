// German of the sign-in page: loaded where the page is German.
import { messages as elements } from '../german/index.ts'
import type { Translation } from '../locales/catalog.ts'
import type { english } from './sign-in-messages.ts'

/** With those messages of the elements that the page shows. */
export const messages: Translation<typeof english> = {
  ...elements,
  'signIn.heading': 'Anmelden',
  'signIn.purpose': 'Weiter zu {name}',
  'signIn.email': 'E-Mail-Adresse',
  'signIn.password': 'Passwort',
  'signIn.action': 'Anmelden',
  'signIn.wrong': 'E-Mail-Adresse oder Passwort ist falsch.',
  'signIn.missing': 'E-Mail-Adresse und Passwort eingeben.',
  'signIn.tooMany': 'Zu viele Versuche. Eine Minute warten und erneut versuchen.',
  'signIn.failed': 'Anmeldung fehlgeschlagen: {reason}'
}
