// mailer.token-check/v1: whether tokens that let mail go are still valid.
import {
  defineExtensionPoint,
  type ExtensionPoint,
  requiredFunctions
} from '@keelson/sdk/contracts/contract'
import { Type } from '@keelson/sdk/typebox'

/** What a plugin says about its tokens. */
export interface TokenCheck {
  /**
   * Whether a token of this name is valid now and may change and send mail. Asked for a token that let a
   * broadcast, flow or other campaign send, with each batch of mails and runs: answer from memory, or within
   * milliseconds. False for a name that the plugin does not know.
   *
   * @param token the name, as the audit log has it: `agent:deploy`
   */
  mayAct(token: string, now: Date): boolean | Promise<boolean>
}

/**
 * Owned by the mailer. One that answers true is enough. When all answer false, or no plugin contributes, what
 * the token let send is held and shown as what a person let send who may no longer send.
 */
export const mailerTokenCheck: ExtensionPoint<TokenCheck> = defineExtensionPoint<TokenCheck>(
  'mailer.token-check/v1',
  Type.Object(requiredFunctions('mayAct'))
)
