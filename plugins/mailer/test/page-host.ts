// The real plugin with its built pages behind a port, and a browser in front of it.

import { openPage, type TestPage } from '@keelson/ui/testing'
import type { MailContact } from '../contracts/mailer-core.ts'
import { type PlatformMailer, type PlatformOptions, platformMailer } from './platform-mailer.ts'

type Teardown = { teardown(fn: () => Promise<void>): void }

/** A platform that browsers reach. */
export interface PagePlatform extends PlatformMailer {
  readonly url: string
}

/** Starts the plugin on a free port. */
export async function startPlatform(
  t: Teardown,
  options: PlatformOptions = {}
): Promise<PagePlatform> {
  const platform = await platformMailer(t, options)
  t.teardown(async () => platform.app.server.closeAllConnections())
  const url = await platform.app.listen({ port: 0, host: '127.0.0.1' })
  return { ...platform, url }
}

/** One platform for all tests of a file, started by the first that asks. */
export function sharedPlatform(
  t: Teardown,
  options: PlatformOptions = {}
): () => Promise<PagePlatform> {
  let started: Promise<PagePlatform> | undefined
  return () => {
    started ??= startPlatform(t, options)
    return started
  }
}

/** Contacts `c1` to `c<count>`, in the order of their ids. */
export const people = (count: number): readonly MailContact[] =>
  Array.from({ length: count }, (_, at) => ({
    externalId: `c${at + 1}`,
    email: `c${at + 1}@example.test`,
    tags: [],
    fields: { firstName: `Name${at + 1}` }
  }))

/** A browser on a page of the mailer. */
export interface MailBrowser extends TestPage {
  readonly platform: PagePlatform
  /** Opens a path below `/admin/mailer`. */
  show(path: string): Promise<unknown>
}

/** Opens a browser before a platform. */
export async function openMail(
  t: Teardown,
  platformOf: () => Promise<PagePlatform>,
  options: Parameters<typeof openPage>[1] = {}
): Promise<MailBrowser> {
  const platform = await platformOf()
  const opened = await openPage(t, options)
  const show = (path: string) =>
    opened.page.goto(`${platform.url}/admin/mailer${path === '' ? '' : `/${path}`}`)
  return { ...opened, platform, show }
}
