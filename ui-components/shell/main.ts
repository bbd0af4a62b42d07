// Starts the shell in the browser. The only module here that does something when it is loaded.
import { define } from '../define.ts'
import { loadTranslations, type Messages, registerCatalog } from '../locales/catalog.ts'
import { readShellConfig } from './config.ts'
import { KeelsonShell } from './shell.ts'
import texts from './texts.en.json' with { type: 'json' }
import { applyTheme, readTheme } from './theme.ts'

/** The elements bring English along. */
const elements: Messages = {}

registerCatalog('en', elements, { de: () => import('../german/index.ts') })
registerCatalog('en', texts, { de: () => import('./texts.de.json', { with: { type: 'json' } }) })
applyTheme(readTheme())
// Nothing is shown in English that is German a moment later: the texts come first, where the language has some.
const coming = loadTranslations(document.documentElement.lang)
if (coming === undefined) show()
else void coming.then(show)

function show(): void {
  define(KeelsonShell)
  // Who is signed in need not wait for the form.
  if (readShellConfig(document).view === 'sign-in') {
    void import('./sign-in.ts').then(({ defineSignIn }) => defineSignIn())
  }
}
