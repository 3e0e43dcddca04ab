import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
  WebAuthnError,
} from '@simplewebauthn/browser'

interface Challenge {
  readonly challengeId: string
  readonly options: Record<string, unknown>
}

interface Answered {
  readonly challengeId: string
  readonly response: Record<string, unknown>
}

/** Asks for a passkey that exists. `nearby` lets a phone answer by a code on the screen. */
export async function usePasskeyFor(
  { challengeId, options }: Challenge,
  { nearby = false }: { readonly nearby?: boolean } = {},
): Promise<Answered> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server's library made them
  const optionsJSON = {
    ...options,
    ...(nearby ? { hints: ['hybrid'] } : {}),
  } as unknown as PublicKeyCredentialRequestOptionsJSON
  const response = await startAuthentication({ optionsJSON })
  return { challengeId, response: { ...response } }
}

export async function makePasskey({ challengeId, options }: Challenge): Promise<Answered> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server's library made them
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON
  const response = await startRegistration({ optionsJSON })
  return { challengeId, response: { ...response } }
}

export const isCancelled = (problem: unknown): boolean =>
  (problem instanceof Error && (problem.name === 'NotAllowedError' || problem.name === 'AbortError')) ||
  (problem instanceof WebAuthnError && problem.code === 'ERROR_CEREMONY_ABORTED')

export function passkeyWords(problem: unknown): string {
  if (isCancelled(problem)) return 'No passkey was used. Try again, use a phone nearby, or a recovery code.'
  if (problem instanceof WebAuthnError && problem.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED')
    return 'This device has a passkey of yours already.'
  return 'Your browser couldn’t use a passkey. Try another browser, or a recovery code.'
}
