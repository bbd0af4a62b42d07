// Every error the kernel can raise, in one table. `kernel/ERRORS.md` is printed from it.
import { defineErrors, type ErrorTable } from '@keelson/sdk'
import { changeErrors } from './change-messages.ts'
import { cliErrors } from './cli-messages.ts'
import { configErrors, manifestErrors } from './manifest-messages.ts'
import { networkErrors } from './network-messages.ts'
import { registrationErrors } from './registration-messages.ts'
import { scheduleErrors } from './schedule-messages.ts'
import { shellErrors } from './shell-messages.ts'
import { storageErrors } from './storage-messages.ts'

/** The rows by the part of the kernel that raises them, in the order of the reference page. */
export const errorSections = {
  manifest: manifestErrors,
  config: configErrors,
  registration: registrationErrors,
  storage: storageErrors,
  schedule: scheduleErrors,
  network: networkErrors,
  shell: shellErrors,
  changes: changeErrors,
  cli: cliErrors
} as const

/** The headings of the sections on the reference page. */
export const headings: Readonly<Record<keyof typeof errorSections, string>> = {
  manifest: 'Manifests and plugins',
  config: 'Config',
  registration: 'From prepare to ready',
  storage: 'Storage',
  schedule: 'Jobs and queues',
  network: 'Calls to the outside',
  shell: 'Shell',
  changes: 'Plugins on and off',
  cli: 'Command line'
}

/** Every code the kernel can raise. */
export const errorTable = {
  ...manifestErrors,
  ...configErrors,
  ...registrationErrors,
  ...storageErrors,
  ...scheduleErrors,
  ...networkErrors,
  ...shellErrors,
  ...changeErrors,
  ...cliErrors
} as const satisfies ErrorTable

/** Codes that were used once and are never given to something else. */
export const retiredCodes: readonly string[] = ['KRN_FETCH_REDIRECTS']

export const errors = defineErrors(errorTable)
