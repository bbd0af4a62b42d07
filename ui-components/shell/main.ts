// Starts the shell in the browser. The only module here that does something when it is loaded.
import { define } from '../define.ts'
import { KeelsonShell } from './shell.ts'
import { KeelsonSignIn } from './sign-in.ts'
import { applyTheme, readTheme } from './theme.ts'

applyTheme(readTheme())
define(KeelsonShell, KeelsonSignIn)
