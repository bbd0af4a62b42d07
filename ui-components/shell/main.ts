// Starts the shell in the browser. The only module here that does something when it is loaded.
import { define } from '../define.ts'
import { registerCatalog } from '../locales/catalog.ts'
import { readShellConfig } from './config.ts'
import { english } from './english-messages.ts'
import { KeelsonShell } from './shell.ts'
import { applyTheme, readTheme } from './theme.ts'

registerCatalog('en', english)
applyTheme(readTheme())
define(KeelsonShell)
// Who is signed in need not wait for the form.
if (readShellConfig(document).view === 'sign-in') {
  void import('./sign-in.ts').then(({ defineSignIn }) => defineSignIn())
}
