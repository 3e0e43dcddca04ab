import { useState } from 'react'
import { queryClient } from '../net/query-client.ts'
import { becomeMe, meQuery } from '../net/me.ts'
import { officeCall } from '../net/office-call.ts'
import { isCancelled, makePasskey, passkeyWords, usePasskeyFor } from '../net/passkey.ts'
import { problemWords } from '../net/use-act.ts'

/** Runs one ceremony at a time, and puts its failure into words. */
export function useCeremony(onDone: () => unknown) {
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState('')
  const run = async (ceremony: () => Promise<void>) => {
    if (busy) return
    setBusy(true)
    setRefusal('')
    try {
      await ceremony()
      await onDone()
    } catch (problem) {
      setRefusal(isOfBrowser(problem) ? passkeyWords(problem) : problemWords(problem))
    } finally {
      setBusy(false)
    }
  }
  return { busy, refusal, run }
}

const isOfBrowser = (problem: unknown): boolean =>
  isCancelled(problem) ||
  (problem instanceof Error &&
    ['WebAuthnError', 'InvalidStateError', 'SecurityError', 'NotSupportedError'].includes(problem.name))

export async function signInByPasskey(options: { readonly nearby?: boolean } = {}): Promise<void> {
  const challenge = await officeCall('POST /api/office/sign-in/options')
  const body = await usePasskeyFor(challenge, options)
  const me = await officeCall('POST /api/office/sign-in', { body })
  const before = queryClient.getQueryData(meQuery.queryKey)
  // Another person must not see the data that the first one loaded.
  if (before && before.id !== me.id) queryClient.clear()
  becomeMe(me)
}

export async function confirmByPasskey(): Promise<void> {
  const challenge = await officeCall('POST /api/office/confirm/options')
  const body = await usePasskeyFor(challenge)
  becomeMe(await officeCall('POST /api/office/confirm', { body }))
}

/** Adds another passkey, such as a phone's, so that one lost device locks no member of staff out. */
export async function addPasskey(): Promise<void> {
  const challenge = await officeCall('POST /api/office/passkeys/options')
  const body = await makePasskey(challenge)
  becomeMe(await officeCall('POST /api/office/passkeys', { body }))
}
