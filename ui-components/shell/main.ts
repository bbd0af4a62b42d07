// Starts the shell in the browser. The only module here that does something when it is loaded.
import { define } from '../define.ts'
import { registerCatalog } from '../locales/catalog.ts'
import { readShellConfig } from './config.ts'
import { KeelsonShell } from './shell.ts'
import texts from './texts.en.json' with { type: 'json' }
import { applyTheme, readTheme } from './theme.ts'

registerCatalog('en', texts)
applyTheme(readTheme())
define(KeelsonShell)
// Who is signed in need not wait for the form.
if (readShellConfig(document).view === 'sign-in') {
  void import('./sign-in.ts').then(({ defineSignIn }) => defineSignIn())
}
