import { queryOptions } from '@tanstack/react-query'
import type { Passkey } from '#contract/passkeys.ts'
import { ownKey } from '#features/query-keys.ts'
import { call } from '#net/call.ts'
import { settings } from '#net/settings.ts'
import { openSession } from '#session/log-in.ts'
import type { DeviceKey } from '#session/log-out.ts'
import { localStore } from '#storage/page-storage.ts'
import { toast } from '#ui/toast.ts'

export const passkeysQuery = (ownerUuid: string) =>
  queryOptions({
    queryKey: ownKey(ownerUuid, 'passkeys'),
    queryFn: async ({ signal }): Promise<Passkey[]> =>
      (await call('GET /api/passkeys', { signal }))['hydra:member'],
    staleTime: 300_000,
  })

export const removePasskey = (id: string) => call('DELETE /api/passkeys/{id}', { params: { id } })

/** The browser knows passkeys. Only a secure origin has them. */
export const hasPasskeys = (): boolean => 'PublicKeyCredential' in globalThis

/** Loaded with the first press, or by a form that offers passkeys among the browser's suggestions. */
const ceremonies = () => import('./passkey-ceremonies.ts')

export async function addPasskey(): Promise<void> {
  const challenge = await call('POST /api/passkeys/options')
  await call('POST /api/passkeys', { body: await (await ceremonies()).make(challenge) })
}

export async function proveByPasskey(): Promise<void> {
  const challenge = await call('POST /api/passkeys/prove/options')
  await call('POST /api/passkeys/prove', { body: await (await ceremonies()).answer(challenge) })
}

/** @param suggested waits until the buyer chooses the passkey among the suggestions of a field */
export async function logInByPasskey({ suggested = false } = {}): Promise<void> {
  const challenge = await call('POST /api/passkeys/log-in/options', {
    anonymous: true,
    background: suggested,
  })
  const answered = await (await ceremonies()).answer(challenge, suggested)
  const body = { ...answered, ...(await settings.device()) }
  await openSession(await call('POST /api/passkeys/log-in', { body, anonymous: true }))
}

/** The browser's own dialog was closed, or another one took its place. */
export const isDismissed = (problem: unknown): boolean =>
  problem instanceof Error && ['NotAllowedError', 'AbortError'].includes(problem.name)

const OFFERED_KEY = 'passkeyOffered' satisfies DeviceKey

/** After a log-in with the password, once on each device that can verify its owner. */
export async function offerPasskey(): Promise<void> {
  if (!hasPasskeys() || localStore.getItem(OFFERED_KEY) !== null) return
  if (!(await PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable())) return
  if ((await call('GET /api/passkeys', { background: true }))['hydra:member'].length > 0) return
  localStore.setItem(OFFERED_KEY, '1')
  toast('Log in by fingerprint, face or PIN next time?', {
    forMilliseconds: 10_000,
    action: {
      label: 'Add a passkey',
      onPress: () =>
        void addPasskey().then(
          () => toast('Your passkey is added.'),
          () => toast('No passkey was added. You can add one in Settings.'),
        ),
    },
  })
}
