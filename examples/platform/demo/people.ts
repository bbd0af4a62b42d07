// The people of the demo, as DEMO.md lists them.
import type { Viewer } from '@keelson/sdk'

export const DEFAULT_PASSWORD = 'keelson-demo'

export type Person = Required<Omit<Viewer, 'authTime' | 'tenantName' | 'emailVerified'>>

/** What the shell calls the tenants. */
export const TENANT_NAMES: Readonly<Record<string, string>> = {
  acme: 'Acme',
  globex: 'Globex',
  '*': 'All tenants'
}

export const PEOPLE: readonly Person[] = [
  {
    tenantId: 'acme',
    role: 'admin',
    viewerRef: 'user:u-admin-acme',
    email: 'admin@acme.test',
    name: 'Acme admin'
  },
  {
    tenantId: 'acme',
    role: 'viewer',
    viewerRef: 'user:u-viewer-acme',
    email: 'viewer@acme.test',
    name: 'Acme viewer'
  },
  {
    tenantId: 'globex',
    role: 'admin',
    viewerRef: 'user:u-admin-globex',
    email: 'admin@globex.test',
    name: 'Globex admin'
  },
  {
    tenantId: '*',
    role: 'admin',
    viewerRef: 'user:u-platform',
    email: 'platform@keelson.test',
    name: 'Platform admin'
  }
]

export function personByEmail(email: string): Person | undefined {
  const wanted = email.trim().toLowerCase()
  return PEOPLE.find((person) => person.email === wanted)
}

export function personByRef(viewerRef: string): Person | undefined {
  return PEOPLE.find((person) => person.viewerRef === viewerRef)
}
