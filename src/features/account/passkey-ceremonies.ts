import {
  browserSupportsWebAuthnAutofill,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser'

interface Challenge {
  readonly challengeId: string
  readonly options: Record<string, unknown>
}

export async function answer({ challengeId, options }: Challenge, suggested = false) {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server's library made them
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON
  const response = await startAuthentication({ optionsJSON, useBrowserAutofill: suggested })
  return { challengeId, response: { ...response } }
}

export async function make({ challengeId, options }: Challenge) {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server's library made them
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON
  const response = await startRegistration({ optionsJSON })
  return { challengeId, response: { ...response } }
}

export const suggestsPasskeys = (): Promise<boolean> => browserSupportsWebAuthnAutofill()
