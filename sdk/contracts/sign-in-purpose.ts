// kernel.sign-in-purpose/v1: names the application that a person signs in for.
import { Type } from '../typebox.ts'
import { defineExtensionPoint, type ExtensionPoint, requiredFunctions } from './contract.ts'

/** The application that a person signs in for, as the sign-in page shows it. */
export interface SignInPurpose {
  readonly name: string
  /** The host that the application runs on: `app.example`. */
  readonly host?: string
  /** Path of its logo on this origin. */
  readonly logo?: string
}

/** Knows what some addresses are for. */
export interface SignInPurposes {
  /**
   * Called when the built-in sign-in page is opened.
   *
   * @param next path and query that sign-in leads back to: text from the caller, so trust nothing in it.
   * @returns undefined when the address belongs to another plugin, or is of no application. A rejection is
   * logged, and the page is shown without the purpose.
   */
  purposeOf(next: string): Promise<SignInPurpose | undefined>
}

/** Owned by the kernel: no plugin needs to be there for it. */
export const signInPurpose: ExtensionPoint<SignInPurposes> = defineExtensionPoint<SignInPurposes>(
  'kernel.sign-in-purpose/v1',
  Type.Object(requiredFunctions('purposeOf'))
)
