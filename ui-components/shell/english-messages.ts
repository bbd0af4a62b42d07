// English of the shell: pages elsewhere do not carry it.
import type { Messages } from '../locales/catalog.ts'

export const english: Messages = {
  'shell.skip': 'Skip to the page',
  'shell.menu': 'Menu',
  'shell.theme': 'Theme',
  'shell.theme.system': 'System',
  'shell.theme.light': 'Light',
  'shell.theme.dark': 'Dark',
  'shell.signOut': 'Sign out',
  'shell.signIn': 'Sign in',
  'shell.busy': 'Loading',
  'shell.noPages': 'No pages yet',
  'shell.noPagesHint': 'Pages appear here when a plugin with pages is enabled.',
  'shell.notFound': 'Page not found',
  'shell.notFoundHint': 'It may have moved, or its plugin is not running.',
  'shell.refused': "You don't have access to this page",
  'shell.refusedHint': 'Ask an administrator, or sign in with another account.',
  'shell.noSignIn': 'Sign-in is not configured',
  'shell.noSignInHint':
    'This page is for people who are signed in. An administrator can set auth.signIn in the config, or enable a plugin that signs people in.',
  'shell.start': 'Go to {title}',
  'shell.broken': '{title} could not be shown',
  'shell.brokenModule': 'Its module could not be loaded: {message}',
  'shell.brokenElement': 'Its module does not define the element {element}.',
  'shell.navFailed': 'The navigation could not be loaded',
  'shell.navigation': 'Main',
  'shell.shortcuts': 'Keyboard shortcuts',
  'shell.shortcut.help': 'Show this list',
  'shell.singleKeys': 'Single-key shortcuts in this browser',
  'shell.loaded': 'Loaded',
  'shell.brokenPage': 'An error occurred: {message}',
  'shell.signedOutElsewhere': 'You have been signed out.',
  'shell.signOutFailed': 'Sign-out failed. Try again.'
}
