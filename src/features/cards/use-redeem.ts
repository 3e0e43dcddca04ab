import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ownKey } from '#features/query-keys.ts'
import { addressOf } from './model.ts'
import { begin, type Ending, goOn } from './redeem.ts'
import { currentOwner, currentSession, sessionKnown, useSession } from '#session/store.ts'
import { useState } from 'react'
import type { User } from '#contract/account.ts'

/** Redeems a code, and navigates to its outcome. */
export function useRedeem(spiSIN: string | null) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()

  const reloadLibrary = () => queryClient.invalidateQueries({ queryKey: ownKey(currentOwner()) })
  const lead = (ending: Ending, replace: boolean) => {
    // Already at the form.
    if (ending.step === 'enter' && !replace) return undefined
    const state = ending.step === 'error' ? { refusedCode: ending.refused } : {}
    return navigate({ ...addressOf({ step: ending.step, spiSIN }), state, replace })
  }
  return {
    redeem: async (code: string) => {
      await sessionKnown()
      const signedIn = currentSession().status === 'user'
      await lead(await begin(code, spiSIN, { signedIn, reloadLibrary }), false)
    },
    /** Redeems the stored code after log-in; replaces the log-in step in the history. */
    redeemKept: async () => lead(await goOn(spiSIN, reloadLibrary), true),
  }
}

/**
 * Logs in and redeems the stored code; a bookshop's account goes to its point of sale instead (RDM-16). `alreadyIn` is
 * false for a log-in that started here, because the screen renders once more before it navigates (RDM-05, RDM-06).
 */
export function useLogInToRedeem(spiSIN: string | null) {
  const navigate = useNavigate()
  const { redeemKept } = useRedeem(spiSIN)
  const [coming, setComing] = useState(false)
  const signedIn = useSession((state) => state.ready && state.status === 'user')

  const comeIn = async (open: () => Promise<User>) => {
    setComing(true)
    let user: User
    try {
      user = await open()
    } catch (problem) {
      setComing(false)
      throw problem
    }
    await (user.outlet ? navigate({ to: '/activation', replace: true }) : redeemKept())
  }
  return { alreadyIn: signedIn && !coming, comeIn }
}
