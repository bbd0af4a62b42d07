// What the shell needs to know: the pages of the running plugins, and its options.
import type { Limit, Viewer } from '@keelson/sdk'
import type { SignInPurpose } from '@keelson/sdk/contracts/sign-in-purpose'
import type { PageFiles, PlacedPage } from '@keelson/ui/server'
import type { FastifyRequest, RouteShorthandOptions } from 'fastify'
import type { PageFailure } from '../health/page-failures.ts'
import type { KernelAddresses } from '../platform/kernel-addresses.ts'

/** A page of a running plugin: its place and its files. */
export interface ShellPage extends PlacedPage, PageFiles {
  /** Shown without the navigation; a window that another site opened keeps its opener. */
  readonly alone?: boolean
  /** Of a page that is alone: its title by language. The address of the page chooses one. */
  readonly titles?: Readonly<Record<string, string>>
}

/** Where errors of pages go, and what bounds them. */
export interface PageErrorSink {
  /** Reports of one address. */
  readonly limit: Limit
  /** Whether a page of this host sent the request. */
  isFromHere(request: FastifyRequest): boolean
  note(failure: PageFailure): void
}

/** A badge as the manifest of a plugin names it, and what it answers a viewer. */
export interface BadgeCount {
  readonly plugin: string
  readonly badge: string
  readonly count: number
}

export interface ShellOptions {
  /** Name of the installation, shown above the navigation and in window titles. */
  readonly title: string
  /** BCP 47. */
  readonly locale: string
  /** Of all dates: `UTC` (default), or an IANA name. */
  readonly timeZone?: string | undefined
  readonly publicUrl?: string | undefined
  /** Origins that may call the API with credentials, for embedded pages. See `embedPolicy`. */
  readonly embedOrigins: readonly string[]
  /**
   * The pages of the plugins that run now, with titles in a language; default: that of the shell. Those known at
   * registration get their addresses.
   */
  pages(language?: string): readonly ShellPage[]
  viewerOf(request: FastifyRequest): Promise<Viewer | null>
  /** Of routes whose handlers ask for the viewer: asks when guards ask. */
  readonly asked?: Pick<RouteShorthandOptions, 'onRequest' | 'preValidation'>
  /** What the viewer may call, each as `<plugin>:<METHOD> <path as declared>`. For `host.can`. */
  routesFor(viewer: Viewer | null): Promise<readonly string[]>
  /** The numbers of the navigation that are known at once, for a viewer who may call these routes. */
  badgeCounts?(viewer: Viewer | null, routes: readonly string[]): Promise<readonly BadgeCount[]>
  /** The config fields of a plugin that are marked `public`; never anything else. */
  publicConfig(plugin: string): unknown
  /** Words below the sign-in form: how to get in on a demo. */
  signInHint?(): string | undefined
  /** The application that the built-in sign-in page names, by the address that it leads back to. */
  signInPurpose?(next: string): Promise<SignInPurpose | undefined>
  readonly addresses: KernelAddresses
  /** Takes errors of pages; without it they stay in the browser. */
  readonly pageErrors?: PageErrorSink | undefined
  /** The host's own sign-in page and sign-out page. */
  readonly signIn?: string | undefined
  readonly signOut?: string | undefined
  /** Where the browser files of @keelson/ui are. Default: in the installed package. */
  readonly browserFolder?: string | undefined
  /** Looks for changed files at each request. For `keelson dev`. */
  readonly isWatching?: boolean | undefined
}
