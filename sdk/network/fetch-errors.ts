// What can go wrong with a guarded call to the outside: rows that the kernel's error table holds, too.
import { defineErrors, type ErrorTable } from '../errors.ts'

/** The rows of the errors that limited fetches reject with. */
export const fetchErrorRows = {
  KRN_FETCH_PROTOCOL: {
    message: '{caller} calls an address with {protocol}, and only http and https are allowed.',
    remedy: 'Use an http or https address.',
    status: 500
  },
  KRN_FETCH_ADDRESS: {
    message: '{caller} calls {host}, which is not an address of the public internet.',
    remedy: 'Name a public address, or lift the refusal for this host and port in the settings.',
    status: 502
  },
  KRN_FETCH_TIMEOUT: {
    message: '{caller}: the call to {host} did not end within {seconds} s.',
    remedy: 'Try again later, or ask for less at a time.',
    status: 504
  },
  KRN_FETCH_SIZE: {
    message: '{caller}: the answer of {host} is longer than {bytes} bytes.',
    remedy: 'Ask for less at a time.',
    status: 502
  }
} as const satisfies ErrorTable

export const fetchErrors = defineErrors(fetchErrorRows)
