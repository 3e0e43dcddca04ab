import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ownKey } from '#features/query-keys.ts'
import { addressOf } from './model.ts'
import { begin, goOn, type Ending } from './redeem.ts'
import { currentOwner, currentSession, sessionKnown } from '#session/store.ts'

/** Takes a code on and leads to where it ended. */
export function useRedeem(spiSIN: string | null) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()

  const reloadLibrary = () => queryClient.invalidateQueries({ queryKey: ownKey(currentOwner()) })
  const lead = (ending: Ending, replace: boolean) => {
    // The form's own screen is where it stands already.
    if (ending.step === 'enter' && !replace) return undefined
    const state = ending.step === 'error' ? { refusedCode: ending.refused } : {}
    return navigate({ ...addressOf({ step: ending.step, spiSIN }), state, replace })
  }
  return {
    /** The typed code. */
    redeem: async (code: string) => {
      await sessionKnown()
      const signedIn = currentSession().status === 'user'
      await lead(await begin(code, spiSIN, { signedIn, reloadLibrary }), false)
    },
    /** The code that was kept, now that its reader is in; the way they came in by is not gone back to. */
    redeemKept: async () => lead(await goOn(spiSIN, reloadLibrary), true),
  }
}
