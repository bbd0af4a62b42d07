// English of the sign-in page: the shell does not carry it.
import type { Messages } from '../locales/catalog.ts'

export const english = {
  'signIn.heading': 'Sign in',
  'signIn.purpose': 'to continue to {name}',
  'signIn.email': 'Email',
  'signIn.password': 'Password',
  'signIn.action': 'Sign in',
  'signIn.wrong': 'The email or the password is wrong.',
  'signIn.missing': 'Enter your email and password.',
  'signIn.tooMany': 'Too many attempts. Wait a minute, then try again.',
  'signIn.failed': 'Sign-in failed: {reason}'
} satisfies Messages
