// Where to go after signing in: only ever a path of this host. Pure.
import { ownPath } from '@keelson/sdk/own-path'

/** The `next` of an address when it is a path of this host, else the start page. */
export const nextAddress = (search: string, home = '/'): string =>
  ownPath(new URLSearchParams(search).get('next')) ?? home
