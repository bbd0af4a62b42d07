// What a host and `keelson serve`, which started it, say to each other.
import type { RevisionFailure } from '@keelson/sdk/contracts/kernel-plugins'

/** What a host says. */
export type HostMessage =
  /** It starts with this revision; some process has run with it before. */
  | { readonly keelson: 'starts'; readonly revision: number; readonly isProven: boolean }
  /** It serves. */
  | { readonly keelson: 'serves'; readonly revision: number }
  /** There are newer settings. */
  | { readonly keelson: 'changed'; readonly revision: number }
  | { readonly keelson: 'failed'; readonly failure: Omit<RevisionFailure, 'where'> }

/** What its supervisor says. */
export type SupervisorMessage =
  /** Another process serves now. */
  | { readonly keelson: 'retire' }
  | { readonly keelson: 'stop' }
  /** A process that was to follow did not start. */
  | { readonly keelson: 'record'; readonly revision: number; readonly failure: RevisionFailure }
